import { globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { root } from '../run-node.mjs'
import { COMMANDS } from './commands.mjs'

/** Packages with native code, which stay packages. */
export const EXTERNAL = ['sharp']

/** A library that reads files of its own, and their folder in it. The bundle has them in `vendor/`. */
const LIBRARY_WITH_FILES = '@fastify/swagger-ui'
const ITS_FILES = 'static'

/** Programs, and modules that are found by name (migrations). Without their ending, relative to the root. */
const entries = [
  'server/main',
  'server/worker',
  'scripts/upgrade/go-back',
  ...Object.values(COMMANDS).map(({ program }) => program),
  ...globSync('server/db/migrations/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') }).map((path) =>
    path.replaceAll('\\', '/').replace(/\.ts$/, ''),
  ),
]

/** Lets that library find its files, which it looks for beside its modules. */
const vendoredFiles: Plugin = {
  name: 'vendored-files',
  transform(code, id) {
    const [, path = ''] = id.replaceAll('\\', '/').split('/node_modules/')
    if (!path.startsWith(`${LIBRARY_WITH_FILES}/`) || !code.includes('__dirname')) return undefined
    const installation = JSON.stringify(join(root, 'server/installation.ts'))
    const folder = JSON.stringify(`vendor/${dirname(path)}`)
    return `const __dirname = require('node:path').join(require(${installation}).ROOT, ${folder})\n${code}`
  },
}

/**
 * Bundles the server and the commands into JavaScript, each at the path of its source, with the libraries they use.
 * @param out the folder to write to
 * @returns the modules in the bundle, as absolute paths
 * @throws if it would import a package that is not in `EXTERNAL`
 */
export async function bundleServer(out: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    external: EXTERNAL,
    plugins: [vendoredFiles],
  })
  const { output } = await bundle.write({
    dir: out,
    entryFileNames: '[name].js',
    chunkFileNames: 'server/shared/[name]-[hash].js',
    // Libraries identify errors by the name of their class.
    keepNames: true,
  })
  await bundle.close()
  const files = join(LIBRARY_WITH_FILES, ITS_FILES)
  await cp(join(root, 'node_modules', files), join(out, 'vendor', files), { recursive: true })
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !own.has(name) && !isBuiltin(name) && !EXTERNAL.includes(name))
  if (missing.length > 0) throw new Error(`The bundle imports what the package does not contain: ${missing.join(', ')}`)
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}
