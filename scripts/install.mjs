// Runs on whatever Node the machine has (20 or newer): built-in modules only, nothing installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run-node.mjs'

const stampFile = join(root, 'node_modules', '.parley-install')

/**
 * Installs the packages of the lockfile unless they are installed already.
 * @param {{ tools: boolean }} wanted `tools` adds packages that only tests and checks need
 */
export function ensureInstalled({ tools }) {
  const lock = digest(['package.json', 'package-lock.json', '.npmrc'])
  const [installedLock, kind] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  if (installedLock === lock && (kind === 'all' || !tools)) return

  // Installed tools stay.
  const all = tools || kind === 'all'
  console.log(all ? 'Installing packages, tools included …' : 'Installing packages …')
  // `ci` deletes node_modules first, which fails on Windows while a program in it runs.
  const command = process.platform === 'win32' ? ['install', '--no-save'] : ['ci']
  const args = [...command, all ? '--include=dev' : '--omit=dev', '--loglevel=error']
  const npm = process.env['npm_execpath']
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) {
    console.error('The packages could not be installed. See the output of npm above.')
    process.exit(1)
  }
  writeFileSync(stampFile, `${lock} ${all ? 'all' : 'run'}`)
}

/** Installs and builds what is missing to start. Ends the process if that fails. */
export async function prepareStart() {
  ensureInstalled({ tools: false })
  if (isBuildDue() && (await run(['scripts/build.ts'])) !== 0) process.exit(1)
}

/** Whether the web client has changed since it was built. */
export function isBuildDue() {
  const stamp = join(root, 'dist', 'web.stamp')
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== webDigest()
}

/** A digest of everything the web client is built from. */
export const webDigest = () =>
  digest([
    'package-lock.json',
    'scripts/build-client.ts',
    'scripts/build-service-worker.ts',
    'scripts/build.ts',
    ...['web', 'contract', 'languages', 'scripts/languages'].flatMap(filesBelow),
  ])

/** @param {string[]} files relative to the root */
function digest(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
