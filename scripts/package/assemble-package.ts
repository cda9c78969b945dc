import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../run-node.mjs'
import { bundleServer, EXTERNAL } from './bundle.ts'
import { writeNotices } from './notices.ts'

/** "parley" belongs to somebody else. */
const NAME = '@parley/chat'
const PROGRAM = 'scripts/package/parley.mjs'

const COPIED = [
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs', 'languages'],
  ...['compose.yaml', 'compose.several-nodes.yaml'],
  ...[
    PROGRAM,
    'scripts/package/commands.mjs',
    'scripts/run-node.mjs',
    'scripts/server-command.json',
    'server/exports/search.js',
  ],
  ...['launch', 'try-next', 'versions'].map((name) => `scripts/upgrade/${name}.mjs`),
]

/**
 * Puts everything but the web client into the folder of the package.
 * @param clientSources paths of what the client is built from, for their licences
 */
export async function assemblePackage(out: string, clientSources: string[]) {
  await mkdir(out, { recursive: true })
  const serverSources = await bundleServer(out)
  await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await writeNotices([...clientSources, ...serverSources]))
  await writeFile(join(out, 'package.json'), `${JSON.stringify(await describePackage(), null, 2)}\n`)
  for (const path of COPIED) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await cp(join(root, path), join(out, path), { recursive: true })
  }
}

/** The package.json: one command, and the few packages that are not bundled. */
async function describePackage() {
  const ours = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const { version, description, license, engines, dependencies, optionalDependencies } = ours
  return {
    ...{ name: NAME, version, description, license, engines },
    type: 'module',
    bin: { parley: PROGRAM },
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
    optionalDependencies,
  }
}
