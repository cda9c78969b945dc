import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { contractForBrowsers } from '../web/build/contract-for-browsers.ts'
import { root } from './run-node.mjs'

const WEB = join(root, 'web')

/**
 * Builds the service worker into `out`.
 * @param files the files of the web client, relative to `out`
 * @param page the document of all pages
 */
export async function buildServiceWorker(out: string, files: Iterable<string>, page: string) {
  const paths = [...files].map((name) => `/${name}`).sort()
  const icons = (await readdir(join(WEB, 'public'))).filter((name) => name.endsWith('.svg'))
  const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []
  if (!entry) throw new Error('The page loads no script')
  const list = {
    // The pseudo-language is for development.
    files: [
      ...icons.map((name) => `/${name}`),
      ...paths.filter((path) => /\.(js|css)$/.test(path) && !path.includes('texts-en-XA')),
    ],
    // Fonts: a page uses few of them.
    filesInUse: paths.filter((path) => path.endsWith('.woff2')),
  }
  const digest = await digestOf(`${page}\n${JSON.stringify(list)}`, [
    ...icons.map((name) => join('public', name)),
    ...(await readdir(join(WEB, 'service-worker')))
      .filter((name) => !name.includes('.test.'))
      .map((name) => join('service-worker', name)),
  ])
  const result = await build({
    root: WEB,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [contractForBrowsers()],
    define: {
      __BUILD__: JSON.stringify(digest),
      __ENTRY__: JSON.stringify(entry),
      __FILES__: JSON.stringify(list.files),
      __FILES_IN_USE__: JSON.stringify(list.filesInUse),
    },
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: {
        input: join(WEB, 'service-worker/service-worker.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  })
  return (result as Rolldown.RolldownOutput).output.map(({ fileName }) => fileName)
}

/** A digest of a text and of files, relative to WEB, whose names have no hash. */
async function digestOf(text: string, files: string[]) {
  const hash = createHash('sha256').update(text)
  for (const file of files.sort()) hash.update(await readFile(join(WEB, file)))
  return hash.digest('hex').slice(0, 16)
}
