import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access, chmod, constants, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freeBytes, megabytes } from '../../server/backup/room.ts'
import { accountName } from '../../server/config/data-dir.ts'
import { StartError } from '../../server/config/start-error.ts'
import { ROOT } from '../../server/installation.ts'
import { removeOldFiles } from '../old-files.ts'
import { FIRST, fileOf, folderOf, labelOf, readVersions, rootOf, writeVersions } from './versions.mjs'

/** What a package and a clone take while they are installed and built, with some room for the database of the running version. */
const PACKAGE_BYTES = 500 * 1024 ** 2
const CLONE_BYTES = 1000 * 1024 ** 2
const FETCH_TIMEOUT_MS = 300_000
const NAME_DIGITS = 7

/**
 * Installs a version of Parley beside the others, which it doesn't touch.
 * @param what the file of a package, or in a clone what Git knows: a tag, a branch or a commit
 * @param stop clears away what is not finished
 * @returns its name
 * @throws StartError
 */
export async function installVersion(home: string, what: string, stop: AbortSignal): Promise<string> {
  await removeUnused(home)
  const file = await findPackage(home, what)
  await requireSpace(home, file ? PACKAGE_BYTES : CLONE_BYTES)
  return file ? installPackage(home, file, stop) : checkOut(home, what, stop)
}

/** Removes versions that are neither current nor the one before, and what a broken upgrade left. */
export async function removeUnused(home: string) {
  const { current, previous, next } = readVersions(home)
  for (const entry of await readdir(folderOf(home), { withFileTypes: true }))
    if (entry.isDirectory() && ![current, previous, next].includes(entry.name)) await remove(home, entry.name)
}

async function remove(home: string, name: string) {
  await rm(join(folderOf(home), name), { recursive: true, force: true, maxRetries: 5 })
  if (isClone(home)) git(home, 'worktree', 'prune')
}

const isClone = (home: string) => existsSync(join(home, '.git'))

/** Makes the folder of the versions. @throws StartError if this account can't install any */
export async function prepareFolder(home: string) {
  if (home.includes(`${join('/', '_npx', '/')}`))
    throw new StartError(
      'npx installs each package in a folder of its own: stop Parley, and start the new file with npx.',
    )
  try {
    await mkdir(folderOf(home), { recursive: true })
    await access(folderOf(home), constants.W_OK)
  } catch {
    throw new StartError(
      `User ${accountName()} can't write to ${folderOf(home)}. Run this as the account that installed Parley. A container is upgraded by running the new image instead.`,
    )
  }
  try {
    // By the record the folder is known as one of versions.
    if (!existsSync(fileOf(home))) writeVersions(home, { current: FIRST })
    readVersions(home)
  } catch (error) {
    throw new StartError(
      `${fileOf(home)} is damaged (${(error as Error).message}). Delete it: Parley ${labelOf(home, FIRST)} is used without it.`,
    )
  }
}

async function findPackage(home: string, what: string): Promise<string | undefined> {
  const isFile = await stat(what).then(
    (it) => it.isFile(),
    () => false,
  )
  // npm takes some relative paths for something else.
  if (isFile) return resolve(what)
  if (/\.t(ar\.)?gz$/.test(what)) throw new StartError(`There is no file ${resolve(what)}.`)
  if (!isClone(home)) throw new StartError('Give the file of a package, such as parley-chat-0.3.0.tgz.')
  return undefined
}

async function requireSpace(home: string, bytes: number) {
  const free = await freeBytes(folderOf(home))
  if (free < bytes)
    throw new StartError(
      `The new version needs ${megabytes(bytes)} in ${folderOf(home)}, but ${megabytes(free)} are free: make room first.`,
    )
}

/** @returns the name of the version */
async function installPackage(home: string, file: string, stop: AbortSignal): Promise<string> {
  const at = await mkdtemp(join(folderOf(home), 'unfinished-'))
  const unfinished = basename(at)
  const flags = ['--ignore-scripts', '--no-package-lock', '--no-save', '--no-fund', '--no-audit', '--loglevel=error']
  try {
    // `mkdtemp` makes it private.
    await chmod(at, 0o755)
    await run(npm('install', '--prefix', at, ...flags, file), at, stop)
    await requireComplete(home, unfinished, file)
    const { version } = JSON.parse(await readFile(join(rootOf(home, unfinished), 'package.json'), 'utf8'))
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    const name = nameOf(version, digest)
    if (!isInstalled(home, name)) await rename(at, join(folderOf(home), name))
    return name
  } finally {
    await remove(home, unfinished)
  }
}

/** @returns the name of the version */
async function checkOut(home: string, what: string, stop: AbortSignal): Promise<string> {
  const commit = await findCommit(home, what, stop)
  const { version } = JSON.parse(git(home, 'show', `${commit}:package.json`))
  const name = nameOf(version, commit)
  if (isInstalled(home, name)) return name
  const at = join(folderOf(home), name)
  try {
    git(home, 'worktree', 'add', '--quiet', '--detach', at, commit)
    await requireLauncher(home, name, what)
    await run([process.execPath, join(at, 'scripts/upgrade/prepare.mjs')], at, stop)
    await requireComplete(home, name, what)
    return name
  } catch (error) {
    await remove(home, name)
    throw error
  }
}

/** Asks the clone's origin first, because its own branches may be old. */
async function findCommit(home: string, what: string, stop: AbortSignal): Promise<string> {
  if (/^[-+]|[:\s]/.test(what)) throw new StartError(`"${what}" is neither a version that Git knows nor a file.`)
  const find = (ref: string) => git(home, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  // Relative ones are the clone's own.
  const isRelative = /^HEAD\b|[~^@]/.test(what)
  let reason = ''
  if (!isRelative)
    try {
      const fetch = ['-C', home, 'fetch', '--quiet', 'origin', what]
      await promisify(execFile)('git', fetch, { signal: stop, timeout: FETCH_TIMEOUT_MS })
      return find('FETCH_HEAD')
    } catch (error) {
      if (stop.aborted) throw new StartError('Stopped. The present version was not changed.')
      reason = String((error as { stderr?: string }).stderr ?? error).trim()
    }
  try {
    const commit = find(what)
    if (reason) console.log(`${reason}\nUsing the clone's own ${what}.`)
    return commit
  } catch {
    throw new StartError(`Git doesn't find "${what}", and there is no such file.\n${reason}`.trim())
  }
}

async function requireLauncher(home: string, name: string, what: string) {
  const root = rootOf(home, name)
  if (!existsSync(join(root, 'package.json'))) throw new StartError(`${what} is not a package of Parley.`)
  if (!existsSync(join(root, 'scripts/upgrade/launch.mjs')))
    throw new StartError(`${what} is older than this command: install it by hand (docs/running/upgrading.md).`)
}

/** npm goes on without the packages for this platform if it can't get them. @throws StartError */
async function requireComplete(home: string, name: string, what: string) {
  await requireLauncher(home, name, what)
  const root = rootOf(home, name)
  const { optionalDependencies = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const folder = join(folderOf(home), name, 'node_modules')
  const ours = createRequire(join(ROOT, 'package.json'))
  for (const dependency of Object.keys(optionalDependencies)) {
    if (existsSync(join(folder, dependency)) || !isFound(ours, dependency)) continue
    throw new StartError(`npm did not install ${dependency}. The present version was not changed.`)
  }
}

function isFound(from: NodeJS.Require, name: string): boolean {
  return from.resolve.paths(name)?.some((folder) => existsSync(join(folder, name, 'package.json'))) ?? false
}

const nameOf = (version: string, hex: string) => `${version}-${hex.slice(0, NAME_DIGITS)}`

/** Only complete versions are left once the others were removed. */
const isInstalled = (home: string, name: string) => existsSync(join(folderOf(home), name))

/**
 * Keeps what open pages may still load: they are of an earlier build.
 * @param from folder of the version that runs
 * @param to folder of the new one
 */
export async function keepEarlierAssets(from: string, to: string) {
  const [earlier, assets] = [join(from, 'dist/web/assets'), join(to, 'dist/web/assets')]
  const record = 'dist/web.replaced.json'
  if (from === to || !existsSync(earlier)) return
  const current = new Set((await readdir(assets)).filter((name) => !/\.(br|gz)$/.test(name)))
  await cp(earlier, assets, { recursive: true, force: false })
  if (existsSync(join(from, record))) await cp(join(from, record), join(to, record))
  await removeOldFiles(assets, current, join(to, record))
}

const npm = (...args: string[]) => {
  const path = process.env['npm_execpath']
  return path?.endsWith('npm-cli.js') ? [process.execPath, path, ...args] : ['npm', ...args]
}

/** Runs a program that says what it does. @throws StartError if it fails, or is stopped */
async function run([command = '', ...args]: string[], cwd: string, stop: AbortSignal) {
  // The npm that runs this command tells its scripts about this version.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$)/.test(name),
    ),
  )
  const isWindows = process.platform === 'win32'
  // In a process group of its own, so that all of it can be stopped.
  const stdio = ['ignore', 'inherit', 'inherit'] as const
  const child = spawn(command, args, { cwd, env, stdio: [...stdio], shell: isWindows, detached: !isWindows })
  stop.addEventListener('abort', () => (isWindows ? child.kill() : process.kill(-(child.pid as number), 'SIGTERM')))
  const [code] = await once(child, 'exit').catch((error) => {
    throw new StartError(`${command} could not be started: ${error.message}.`)
  })
  if (stop.aborted) throw new StartError('Stopped. The present version was not changed.')
  if (code !== 0)
    throw new StartError(
      'The new version could not be installed: see the lines above. The present one was not changed.',
    )
}

const git = (home: string, ...args: string[]) =>
  execFileSync('git', ['-C', home, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
