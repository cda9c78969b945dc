import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import manifest from '../package.json' with { type: 'json' }

const server = `http://127.0.0.1:${process.env['PARLEY_PORT'] ?? 3001}`

export default defineConfig({
  root: import.meta.dirname,
  define: { __VERSION__: JSON.stringify(manifest.version.replace(/\.\d+$/, '')) },
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    chunkSizeWarningLimit: 700,
  },
  // Development only: one origin in front, the server behind it (see scripts/dev.mjs).
  server: {
    host: true,
    port: Number(process.env['PORT'] ?? 3000),
    strictPort: true,
    proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
  },
})
