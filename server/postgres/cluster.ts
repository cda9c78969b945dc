import { type SpawnOptions, spawn } from 'node:child_process'
import {
  access,
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findAccount, isReachable, type SystemAccount } from './account.ts'
import { findBinaries, program } from './binaries.ts'
import { isAlive } from './process-checks.ts'
import { sharedMemory } from './settings.ts'

/** `native`: directory of the PostgreSQL installation. `dir`: data directory. `account`: runs it; undefined for our own. */
export type Cluster = { native: string; dir: string; account: SystemAccount | undefined }

/**
 * Initializes `<dataDir>/postgres` as a PostgreSQL data directory (UTF-8, sorted by code point, superuser `parley` with
 * `password`, which all connections need) unless it already is one, and finds the binaries and the account to run it. Throws an
 * error that says what to do if that is impossible.
 */
export async function prepareCluster(dataDir: string, password: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true })
  const parent = await realpath(dataDir)
  const dir = join(parent, 'postgres')
  const account = await findAccount(dir)
  const owner = await stat(dir).then(
    ({ uid }) => uid,
    () => undefined,
  )
  if (!account && process.getuid && owner !== undefined && owner !== process.getuid()) {
    throw new Error(
      `${dir} belongs to another account: start Parley as that one, or set DATA_DIR to another directory.`,
    )
  }
  const native = await findBinaries(parent, account)
  await removeDrafts(parent)
  if (!(await isInitialized(dir))) await initialize({ native, dir, account }, password)
  else if (account && owner === 0) await changeOwner(account, dir)
  await chmod(dir, 0o700)
  return { native, dir, account }
}

/**
 * Program arguments and spawn options to run one of PostgreSQL's programs on the cluster's data directory. Throws if the
 * account cannot reach the directory.
 */
export async function clusterCommand({
  dir,
  account,
}: Cluster): Promise<{ directory: string[]; options: SpawnOptions }> {
  let path = dir
  if (!(await isReachable(dir, account, 7))) {
    // It is inside a private directory such as /root. The working directory is entered before the account changes, and Linux lets
    // a process refer to it without walking the path; PostgreSQL and its children never leave it.
    path = '/proc/self/cwd'
    await access(path).catch(() => {
      throw new Error(
        `PostgreSQL cannot run as root, so it runs as "${account?.name}", which cannot reach ${dir}: ` +
          'set DATA_DIR to a directory that this account can reach.',
      )
    })
  }
  // Not the whole environment: it contains secrets, and PG* variables that would change how the programs behave.
  const passed = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP']
  const env = Object.fromEntries(passed.map((name) => [name, process.env[name]]))
  return {
    directory: ['-D', path],
    options: { cwd: dir, env: { ...env, LC_ALL: 'C' }, uid: account?.uid, gid: account?.gid, windowsHide: true },
  }
}

function isInitialized(dir: string): Promise<boolean> {
  return access(join(dir, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

const drafts = new Set<string>()

/** Removes what killed starts left behind. */
async function removeDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1])
    if (!pid || drafts.has(join(parent, name)) || (pid !== process.pid && isAlive(pid))) continue
    // Its initdb may still be running and adding files: then the next start removes the rest.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** Initializes a draft and renames it, so that a data directory with the final name is always complete. */
async function initialize({ native, dir, account }: Cluster, password: string): Promise<void> {
  const draft = await mkdtemp(`${dir}.new-${process.pid}-`)
  drafts.add(draft)
  try {
    if (account) await changeOwner(account, draft)
    const { directory, options } = await clusterCommand({ native, dir: draft, account })
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = ['--username=parley', '--auth=trust', '--no-instructions']
    const memory = Object.entries(sharedMemory).map(([name, value]) => `--set=${name}=${value}`)
    await run(program(native, 'initdb'), [...directory, ...locale, ...access, ...memory], options)
    // No connections are possible yet. The password is piped, because other users might read a file or an argument.
    const sql = `alter role parley password '${password.replaceAll("'", "''")}';\n`
    const single = ['--single', ...directory, '-c', 'exit_on_error=on', 'postgres']
    await run(program(native, 'postgres'), single, options, sql)
    await writeFile(join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n', { flush: true })
    await rmdir(dir).catch(() => {})
    await rename(draft, dir).catch(async (error) => {
      if (await isInitialized(dir)) return // another start was faster
      throw new Error(
        `${dir} cannot hold the database (${error.code}): the directory must be new or empty, and not a mount point.`,
      )
    })
    await flushDirectory(dirname(dir))
  } finally {
    await rm(draft, { recursive: true, force: true })
    drafts.delete(draft)
  }
}

/** Runs a program; rejects with its output if it fails. */
function run(file: string, args: string[], options: SpawnOptions, input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: 'pipe' })
    let output = ''
    const fail = (why: unknown) => reject(new Error(`PostgreSQL could not be set up: ${file}: ${why}\n${output}`))
    const onOutput = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onOutput)
    child.once('error', fail)
    child.once('close', (code, signal) => (code === 0 ? resolve() : fail(signal ?? `exit code ${code}`)))
    child.stdin?.on('error', () => {}).end(input)
  })
}

/** Otherwise a power failure could undo the rename, and the next start would remove the database as a draft. */
async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

/** Changes the top directory last: as long as root owns it, an interrupted run is repeated. */
async function changeOwner({ name, uid, gid }: SystemAccount, dir: string): Promise<void> {
  try {
    for (const entry of await readdir(dir, { recursive: true })) await lchown(join(dir, entry), uid, gid)
    await lchown(dir, uid, gid)
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, so it runs as "${name}", which cannot be made the owner of ${dir} ` +
        `(${(error as NodeJS.ErrnoException).code}): start Parley as an ordinary user, or set DATABASE_URL.`,
    )
  }
}
