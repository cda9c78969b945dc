// `npm run package`: builds Parley without sources and tools, and packs it into dist/parley-chat-<version>.tgz.
// docs/running/package.md
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClient } from '../build-client.ts'
import { root } from '../run-node.mjs'
import { assemblePackage } from './assemble-package.ts'

const out = join(root, 'dist/package')

for (const old of globSync('parley-chat-*.tgz', { cwd: join(root, 'dist') })) await rm(join(root, 'dist', old))
await rm(out, { recursive: true, force: true })
const { sources } = await buildClient(join(out, 'dist/web'))
console.log('Bundling the server …')
await assemblePackage(out, sources)
pack()

function pack() {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', '..'], {
    cwd: out,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(output)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`Packed dist/${filename}: ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked, ${entryCount} files.`)
}
