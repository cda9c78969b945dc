import { limits } from '#contract/limits'
import { isUsername, posesAsAssistant } from '#contract/users'
import type { Db } from '../db/database.ts'

/** Room for a number behind a name. */
const SUFFIX = 6

/**
 * A valid username that nobody has, near to what a hosted provider calls a person.
 * @param called their `preferred_username`, or else their e-mail address
 */
export async function freeUsername(db: Db, called: string): Promise<string> {
  const name = nearest(called)
  const stem = name.slice(0, limits.username.max - SUFFIX)
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where((row) => row.or([row('username', '=', name), row('username', 'like', `${stem.replace(/_/g, '\\_')}-%`)]))
    .execute()
  const taken = new Set(rows.map(({ username }) => username))
  if (isUsername(name) && !taken.has(name)) return name
  for (let n = 2; ; n++) {
    const numbered = `${stem}-${n}`
    if (isUsername(numbered) && !taken.has(numbered)) return numbered
  }
}

function nearest(called: string): string {
  const [local = ''] = called.split('@')
  const plain = local
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
  return (posesAsAssistant(plain) ? '' : plain.slice(0, limits.username.max)) || 'person'
}
