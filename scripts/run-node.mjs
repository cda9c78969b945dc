// Finds Node 24 and runs programs on it, in a clone and in the package. Runs on whatever Node the machine has (20 or newer):
// built-in modules only, nothing installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const parent = process.ppid
/** Cache of compiled code, which halves the time to load modules. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled')

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
export const SERVER = JSON.parse(readFileSync(join(root, 'scripts', 'server-command.json'), 'utf8'))

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
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, PARLEY_PARENT_PID: String(parent) }
  process.execve(program, [program, ...args], env)
}

/**
 * Runs a program of Node 24 in the foreground until it exits. Forwards signals to stop, and waits for the program, which has a
 * database to close.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [cwd]
 * @returns {Promise<number>} its exit code
 */
export function run(args, env = process.env, cwd = root) {
  const child = spawn(node(), args, { cwd, stdio: 'inherit', env: { NODE_COMPILE_CACHE: compileCache, ...env } })
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  // A terminal sends Ctrl-C to the child as well; only keep it from ending this process first.
  const interrupt = process.stdin.isTTY ? () => {} : pass
  process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', interrupt)
  // npm sends a signal only to the shell between it and this process, which exits without forwarding it.
  const watch = setInterval(() => process.ppid !== parent && pass('SIGTERM'), 500)
  return new Promise((resolve) => {
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
}
