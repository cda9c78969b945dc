import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import manifest from '../package.json' with { type: 'json' }
import { contractForBrowsers, withoutFrameworkMode, withoutUnusedMarkdown } from './build/strip-unused.ts'

// The server sees the address that the browser asked for, which is the origin that it trusts.
const server = { target: `http://127.0.0.1:${process.env['PARLEY_PORT'] ?? 3001}`, changeOrigin: false }

export default defineConfig({
  root: import.meta.dirname,
  define: { __VERSION__: JSON.stringify(manifest.version.replace(/\.\d+$/, '')) },
  plugins: [contractForBrowsers(), withoutUnusedMarkdown(), withoutFrameworkMode(), react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    // An open page still loads parts of the build before; `scripts/build.ts` removes them later.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    target: 'es2023',
    chunkSizeWarningLimit: 700,
    // Browsers that know the syntax of `target` know it too.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page begins with, in two files: the libraries change seldom and stay in caches.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules|rolldown\/runtime/, priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            // Large, and wanted by the picker alone.
            { name: 'emoji', test: /emoji-mart/, priority: 1 },
            // What several later parts need, in one file: as dozens they would wait for each other's connections.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  // Development only: one origin in front, the server behind it (see scripts/dev.mjs).
  server: {
    host: process.env['HOST'] || true,
    port: Number(process.env['PORT'] ?? 3000),
    strictPort: true,
    // Patterns, because a plain path is a prefix, and `/api` that of the module `/api.ts`.
    proxy: { '^/api/': server, '^/socket\\.io/': { ...server, ws: true } },
  },
})
