import { fileURLToPath } from 'node:url'

/** For all processes that this one starts: most of the time until a server is ready goes into compiling its modules. */
export function cacheCompiledCode() {
  const folder = new URL('../../../node_modules/.cache/compiled-code', import.meta.url)
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(folder)
}
