import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import manifest from '../package.json' with { type: 'json' }
import { languages } from '../scripts/languages/vite-plugin.ts'
import { contractForBrowsers } from './build/contract-for-browsers.ts'
import { gallery } from './build/gallery.ts'
import { leanReact } from './build/lean-react.ts'

// The server trusts only its own origin, so the Host header stays as the browser sent it.
const server = { target: `http://127.0.0.1:${process.env['PARLEY_PORT'] ?? 3001}`, changeOrigin: false }

const NO_EMOJI_LIBRARY = /^(?!.*(?:emoji-mart|ui\/emoji\/emoji-(?:picker|recents)))/s

/** Parts that `preload.ts` loads or that show once the page is idle. In one file, because requests cost more than parts. */
const PRELOADED =
  /\/(assistant-row|attachment-tray|availability-mark|back-closes|banners|beginning|delete-soon|delivery|drafts-count|drop-sign|edit-form|ended-conversation|format-bar|format-toggle|jump-button|keep-on-device|list-continuation|message-menu|message-toolbar|new-line-hint|open-thread|paste-link|preload|quote-message|quote-tray|reminder-dialog|scheduled-line|search-dialog|sidebar-aids|sign-in-page|sign-out-dialog|suggestions|toggle-reaction|typing-line|waiting-line)\.tsx?$/

export default defineConfig({
  root: import.meta.dirname,
  define: { __VERSION__: JSON.stringify(manifest.version.replace(/\.\d+$/, '')) },
  plugins: [contractForBrowsers(), leanReact(), react(), tailwindcss(), gallery(), languages()],
  // The build parses the texts.
  resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
  build: {
    outDir: '../dist/web',
    // Open pages still load parts of the previous build; `scripts/build.ts` removes them later.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    target: 'es2023',
    chunkSizeWarningLimit: 700,
    // Browsers that support `target` support module preload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/app-[hash].js',
        chunkFileNames: ({ name }) => `assets/${name.replace('_virtual_', '')}-[hash].js`,
        codeSplitting: {
          // The initial code in two files: the libraries change rarely, so they stay cached.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules|rolldown\/runtime/, priority: 4 },
            { name: 'app', tags: ['$initial'], priority: 3 },
            // Code shared by lazy parts, in one file: dozens of small ones would queue for connections. The emoji library is
            // large and used by the picker only; modules that import it would bring it along.
            { name: 'shared', test: NO_EMOJI_LIBRARY, minShareCount: 2, priority: 2 },
            { name: 'preloaded', test: PRELOADED, priority: 1 },
            { name: 'emoji', test: /emoji-mart|ui\/emoji\/emoji-(picker|recents)/ },
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
    // Patterns, because a plain path is a prefix, and `/api` would also match the module `/api-client/api.ts`.
    proxy: { '^/(api/|manifest\\.webmanifest$)': server, '^/socket\\.io/': { ...server, ws: true } },
  },
})
