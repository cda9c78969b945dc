import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { buildServiceWorker } from './build-service-worker.ts'
import { root } from './run-node.mjs'

/**
 * Builds the web client into `out`, with precompressed text files. Files of earlier builds stay.
 * @returns the files of this build, relative to `out`, and the paths of what they are made of
 * @throws if a page would load more JavaScript than allowed before its first message
 */
export async function buildClient(out: string): Promise<{ files: Set<string>; sources: string[] }> {
  console.log('Building the web client …')
  const configFile = join(root, 'web/vite.config.ts')
  const { output } = (await build({ configFile, logLevel: 'warn', build: { outDir: out } })) as Rolldown.RolldownOutput
  holdBudget(output)
  const files = new Set(output.map(({ fileName }) => fileName))
  await buildServiceWorker(out, files, pageIn(output))
  await compress(out, files)
  return {
    files,
    sources: output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames)),
  }
}

async function compress(out: string, files: Set<string>) {
  for (const entry of await readdir(out, { recursive: true })) {
    if (!/\.(html|js|css|svg|json)$/.test(entry)) continue
    // Already compressed by an earlier build.
    if (/^assets[\\/]/.test(entry) && !files.has(entry.replaceAll('\\', '/'))) continue
    const path = join(out, entry)
    const bytes = await readFile(path)
    await writeFile(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    )
    await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** The document of all pages. */
function pageIn(output: Rolldown.RolldownOutput['output']) {
  const page = output.find(({ fileName }) => fileName === 'index.html')
  return page?.type === 'asset' ? String(page.source) : ''
}

/** Fails the build if the page's own scripts and their static imports exceed 200 KB. Lazy chunks do not count. */
function holdBudget(output: Rolldown.RolldownOutput['output']) {
  const budget = 200_000
  const html = pageIn(output)
  const chunks = output.filter((file) => file.type === 'chunk')
  const first = new Set(chunks.filter(({ fileName }) => html.includes(fileName)))
  if (first.size === 0) throw new Error('The page loads no script: its budget cannot be held')
  // Iterating a Set includes items added during the iteration.
  for (const { imports } of first) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) first.add(chunk)
  }
  const texts = chunks.filter(({ fileName }) => /texts-(?!en-XA).*-first-/.test(fileName))
  if (texts.length === 0) throw new Error('The languages have no texts: their weight cannot be held')
  // A page loads only one of them: take the largest.
  const bytes = ({ code }: Rolldown.OutputChunk) => Buffer.byteLength(code)
  first.add(texts.reduce((a, b) => (bytes(b) > bytes(a) ? b : a)))
  const sizes = [...first].map(({ fileName, code }) => ({ fileName, size: gzipSync(code, { level: 9 }).length }))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
  console.log(`Before the first message a page loads ${kB(total)} of JavaScript (gzip; at most ${kB(budget)}).`)
  if (total <= budget) return
  for (const { fileName, size } of sizes) console.error(`  ${kB(size)}  ${fileName}`)
  console.error(
    `That is ${kB(total - budget)} too much. Lazy-load what is not on screen by then (web/ui/lazy/lazy.tsx).`,
  )
  process.exit(1)
}
