// Builds the web client into dist/web. Keeps earlier builds for a while, for open pages.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClient } from './build-client.ts'
import { webDigest } from './install.mjs'
import { removeOldFiles } from './old-files.ts'
import { root } from './run-node.mjs'

const digest = webDigest()
const out = join(root, 'dist/web')
const { files } = await buildClient(out)
await removeOldFiles(
  join(out, 'assets'),
  new Set([...files].map((name) => name.replace(/^assets\//, ''))),
  join(root, 'dist/web.replaced.json'),
)
await writeFile(join(root, 'dist/web.stamp'), digest)
