import type { Plugin } from 'vite'

/** Serves the gallery of the interface's parts at `/dev/gallery`, in development only. */
export const gallery = (): Plugin => ({
  name: 'gallery',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url) request.url = request.url.replace(/^\/dev\/gallery(?=$|\?)/, '/dev/gallery.html')
      next()
    })
  },
})
