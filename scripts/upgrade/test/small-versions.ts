import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, vi } from 'vitest'
import { atEnd } from '../../../server/test/support/cleanup.ts'
import { STATE_TIMEOUT_MS } from '../../../server/test/support/timeouts.ts'
import { root } from '../../run-node.mjs'
import { readVersions, type Versions, writeVersions } from '../versions.mjs'

const LAUNCHERS = ['scripts/run-node.mjs', 'scripts/server-command.json', 'scripts/package/parley.mjs'].concat(
  ['scripts/package/commands.mjs'],
  ['launch', 'try-next', 'versions'].map((name) => `scripts/upgrade/${name}.mjs`),
)

const launcher = JSON.stringify(pathToFileURL(join(root, 'server/process/launcher.ts')).href)

const ENDS_WITH_PARENT = `
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && process.exit(), 500).unref()`

const works = `
    import { reportReady, stopForNextVersion } from ${launcher}
    const asked = new Promise((resolve) => process.on('SIGTERM', () => resolve(undefined)))
    const { stopped, restartIfDue } = stopForNextVersion(process.env.PARLEY_HOME, asked)
    await reportReady({ port: 0, migrations: ['0001-first', '0002-second'] })
    console.log(NAME + ' is ready, process ' + process.pid + ', parent ' + process.ppid)
    if (process.env.PARLEY_UPGRADE_PROBLEM) console.log('knows: ' + process.env.PARLEY_UPGRADE_PROBLEM)
    const open = setInterval(() => {}, 1000)
    await stopped
    clearInterval(open)
    console.log(NAME + ' stops')
    restartIfDue()`

/** Servers that do nothing but to behave like Parley's towards its launcher. */
const SERVERS = {
  works,
  isSlow: `console.log(NAME + ' starts')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    ${works}`,
  ignoresAll: `process.on('SIGTERM', () => console.log(NAME + ' ignores that'))
    console.log(NAME + ' hangs')
    setInterval(() => {}, 1000)`,
  crashes: `console.log(NAME + ' crashes')
    process.exit(3)`,
  crashesAfterwards: `setTimeout(() => process.exit(4), 100)
    ${works}`,
  hangs: `process.on('SIGTERM', () => process.exit())
    console.log(NAME + ' hangs')
    setInterval(() => {}, 1000)`,
} as const

/** An installation of small versions, the first of them called 1.0.0. Ends when the test file ends. */
export async function openInstallation() {
  const home = await mkdtemp(join(tmpdir(), 'parley-versions-'))
  atEnd(() => rm(home, { recursive: true, force: true }))
  await install(home, '1.0.0', 'works')

  async function install(folder: string, name: string, kind: keyof typeof SERVERS) {
    for (const path of LAUNCHERS) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await cp(join(root, path), join(folder, path))
    }
    await mkdir(join(folder, 'server'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: name, type: 'module' }))
    await writeFile(join(folder, 'server/main.js'), `const NAME = '${name}'\n${ENDS_WITH_PARENT}\n${SERVERS[kind]}`)
    await writeFile(
      join(folder, 'scripts/upgrade/go-back.js'),
      `import { existsSync } from 'node:fs'
console.log('mends the database for ${name}')
if (existsSync('slow')) setInterval(() => {}, 1000)`,
    )
  }

  return {
    home,
    /** Puts a version beside the others. */
    add: (name: string, kind: keyof typeof SERVERS) => install(join(home, 'versions', name), name, kind),
    record: () => readVersions(home),
    write: (versions: Versions) => writeVersions(home, { ...versions, namedAt: new Date().toISOString() }),
    start: () => start(home),
  }
}

/** Starts the command `parley`. */
function start(home: string) {
  const child = spawn(process.execPath, [join(home, 'scripts/package/parley.mjs')], { cwd: home })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const exit = once(child, 'exit')
  atEnd(() => child.kill('SIGKILL'))
  return {
    pid: child.pid as number,
    // `expect.poll` can't tell concurrent tests apart.
    says: (text: string) => vi.waitFor(() => expect(output).toContain(text), { timeout: STATE_TIMEOUT_MS }),
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exit
      return code
    },
  }
}
