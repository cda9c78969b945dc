import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A system account to run PostgreSQL as. */
export type SystemAccount = { name: string; uid: number; gid: number }

/**
 * The account to run PostgreSQL as, which refuses to run as root: the owner of `dir` if it exists and is not root's, else
 * `postgres`, else `nobody`. Undefined if this process is not root, or on Windows: then PostgreSQL runs as the same account.
 * Throws if there is no such account.
 */
export async function findAccount(dir: string): Promise<SystemAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(dir).catch(() => undefined)
  if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const accounts = passwd.split('\n').map((line) => line.split(':'))
  for (const candidate of ['postgres', 'nobody']) {
    const [name, , uid, gid] = accounts.find(([name]) => name === candidate) ?? []
    if (name && Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL refuses to run as root and there is no account "postgres" or "nobody": ' +
      'create one, start Parley as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * Whether `account` has these permission bits (4 read, 2 write, 1 search or execute) on `path` and can reach it through all
 * parent directories. Ignores access control lists. Always true without an account.
 */
export async function isReachable(
  path: string,
  account: SystemAccount | undefined,
  permissions: number,
): Promise<boolean> {
  if (!account) return true
  let at = await realpath(path)
  for (let needed = permissions; ; needed = 1) {
    const { uid, gid, mode } = await stat(at)
    const granted = uid === account.uid ? mode >> 6 : gid === account.gid ? mode >> 3 : mode
    if ((granted & needed) !== needed) return false
    if (at === dirname(at)) return true
    at = dirname(at)
  }
}
