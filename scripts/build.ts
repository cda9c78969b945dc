// Builds the web client into dist/web, each text file also compressed, so that serving costs no computing.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root, webDigest } from './install.mjs'

const digest = webDigest()
console.log('Building the web client …')
await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' })

const out = join(root, 'dist/web')
for (const entry of await readdir(out, { recursive: true })) {
  if (!/\.(html|js|css|svg|json)$/.test(entry)) continue
  const path = join(out, entry)
  const bytes = await readFile(path)
  await writeFile(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
  await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
await writeFile(join(root, 'dist/web.stamp'), digest)
