// Finds Node 24 and runs programs on it, in a clone and in the package. Runs on whatever Node the machine has (20 or newer):
// built-in modules only, nothing installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeOf } from './upgrade/versions.mjs'

/** The folder with package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** That of the version that was installed first; see `upgrade/versions.mjs`. */
export const home = homeOf(root)
/** Starts the version that is to run, at any time. */
export const launcher = join(
  home,
  ['scripts/start.mjs', 'scripts/package/parley.mjs'].find((path) => existsSync(join(home, path))) ?? '',
)
/** The ending of programs: `.ts` in a clone, `.js` in the package. */
export const PROGRAM_EXTENSION = existsSync(join(root, 'server/main.ts')) ? '.ts' : '.js'
/** The exit code by which a server asks to be started anew, perhaps as another version. */
export const RESTART_EXIT_CODE = 75
const parent = process.ppid
/** Cache of compiled code, which halves the time to load modules. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled')
// Not that of another version, which started this process.
if (process.env['NODE_COMPILE_CACHE']?.endsWith(join('node_modules', '.cache', 'compiled')))
  delete process.env['NODE_COMPILE_CACHE']

/** The Node that Parley runs on: the one in its packages, or the machine's own if no package fits. */
export function node() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  try {
    // npm may have installed the package beside this one.
    const own = createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/package.json`)
    return join(dirname(own), 'bin', system === 'win' ? 'node.exe' : 'node')
  } catch {
    // No package fits.
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`Parley needs Node 24 or newer; this machine has ${process.version}. See https://nodejs.org.`)
  return process.exit(1)
}

/**
 * The server's command with V8's heap limits. Without them, V8 lets garbage grow to several times the used memory before it
 * collects: 460 MB after a minute of full load instead of 190, for 5 to 15 % less CPU time of the server.
 * @type {string[]}
 */
export const SERVER = JSON.parse(readFileSync(join(root, 'scripts/server-command.json'), 'utf8')).map(
  (/** @type {string} */ arg) => (arg.startsWith('-') ? arg : join(root, `${arg}${PROGRAM_EXTENSION}`)),
)

/**
 * V8's limit for the commands, in megabytes: a large backup then takes 130 MB instead of 200, in the same time.
 */
export const COMMAND_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50']

/**
 * Replaces this process by a program of Node 24, because a process that only waits for another one takes 30 MB. The program has
 * to watch its parent itself (`PARLEY_PARENT_PID`). Returns if that is impossible: on Windows, and on Node before 22.15.
 * @param {string[]} args
 * @param {string} [cwd]
 */
export function become(args, cwd = root) {
  if (process.platform === 'win32' || !process.execve) return
  const program = node()
  // A program that fails to start would end this process with a stack trace.
  if (program !== process.execPath && spawnSync(program, ['--version']).status !== 0) return
  process.chdir(cwd)
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, PARLEY_HOME: home, PARLEY_PARENT_PID: String(parent) }
  process.execve(program, [program, ...args], env)
}

/**
 * Becomes a server, or runs it until it stops. A server that asks for it is started anew by the launcher.
 * @param {string[]} args
 */
export async function serve(args) {
  process.env['PARLEY_LAUNCHER'] = launcher
  become(args, process.cwd())
  process.exitCode = await run(args, process.env, process.cwd())
  if (process.exitCode === RESTART_EXIT_CODE) await serve([launcher])
}

/**
 * Runs a program of Node 24 in the foreground until it exits.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [cwd]
 * @returns {Promise<number>} its exit code
 */
export const run = (args, env = process.env, cwd = root) => startChild(args, env, cwd).exit

/**
 * Starts a program of Node 24 in the foreground. Forwards signals to stop, and waits for the program, which has a database to
 * close.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 */
export function startChild(args, env, cwd) {
  const child = spawn(node(), args, {
    cwd,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...env, PARLEY_HOME: home },
  })
  let isStopping = false
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    isStopping = true
    child.kill(signal)
  }
  // A terminal sends Ctrl-C to the child as well; only keep it from ending this process first.
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
    isStopping = true
    if (!process.stdin.isTTY) pass(signal)
  }
  process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', interrupt)
  // npm sends a signal only to the shell between it and this process, which exits without forwarding it.
  const watch = setInterval(() => process.ppid !== parent && pass('SIGTERM'), 500)
  /** @type {Promise<number>} */
  const exit = new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`Node 24 could not be started on this machine (${error.message}).`)
      process.exit(1)
    })
    child.once('exit', (code) => {
      clearInterval(watch)
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', interrupt)
      resolve(code ?? 1)
    })
  })
  return {
    exit,
    /** Whether it was asked to stop from outside. */
    isStopping: () => isStopping,
    kill: (/** @type {NodeJS.Signals} */ signal) => child.kill(signal),
  }
}
