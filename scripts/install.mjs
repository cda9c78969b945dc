// Runs on whatever Node the machine has (20 or newer): built-in modules only, nothing installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const parent = process.ppid
const stampFile = join(root, 'node_modules', '.parley-install')
/** Cache of compiled code, which halves the time to load modules. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled')

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

/** The Node that Parley runs on: the one in its packages, or the machine's own if no package fits. */
export function node() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const own = join(
    root,
    'node_modules',
    `node-${system}-${process.arch}`,
    'bin',
    system === 'win' ? 'node.exe' : 'node',
  )
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`Parley needs Node 24 or newer; this machine has ${process.version}. See https://nodejs.org.`)
  return process.exit(1)
}

/**
 * The server's command with V8's heap limits. Without them, V8 lets garbage grow to several times the used memory before it
 * collects: 460 MB after a minute of full load instead of 190, for 5 to 15 % less CPU time of the server.
 * @type {string[]}
 */
export const SERVER = JSON.parse(readFileSync(join(root, 'scripts', 'server-command.json'), 'utf8'))

/** Whether the web client has changed since it was built. */
export function isBuildDue() {
  const stamp = join(root, 'dist', 'web.stamp')
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== webDigest()
}

/** A digest of everything the web client is built from. */
export const webDigest = () =>
  digest([
    'package-lock.json',
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

/**
 * Replaces this process by a program of Node 24, because a process that only waits for another one takes 30 MB. The program has
 * to watch its parent itself (`PARLEY_PARENT_PID`). Returns if that is impossible: on Windows, and on Node before 22.15.
 * @param {string[]} args
 */
export function become(args) {
  if (process.platform === 'win32' || !process.execve) return
  const program = node()
  // A program that fails to start would end this process with a stack trace.
  if (program !== process.execPath && spawnSync(program, ['--version']).status !== 0) return
  process.chdir(root)
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, PARLEY_PARENT_PID: String(parent) }
  process.execve(program, [program, ...args], env)
}

/**
 * Runs a program of Node 24 in the foreground until it exits. Forwards signals to stop, and waits for the program, which has a
 * database to close.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export function run(args, env = process.env) {
  const child = spawn(node(), args, { cwd: root, stdio: 'inherit', env: { NODE_COMPILE_CACHE: compileCache, ...env } })
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  // A terminal sends Ctrl-C to the child as well; only keep it from ending this process first.
  const wait = () => {}
  process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', wait)
  // npm sends a signal only to the shell between it and this process, which exits without forwarding it.
  const watch = setInterval(() => process.ppid !== parent && pass('SIGTERM'), 500)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Node 24 could not be started on this machine (${error.message}).`)
      process.exit(1)
    })
    child.once('exit', (code) => {
      clearInterval(watch)
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', wait)
      resolve(code ?? 1)
    })
  })
}
