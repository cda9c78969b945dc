import { limits } from '#contract/limits'
import { isUsername, posesAsAssistant } from '#contract/users'
import type { Db } from '../db/database.ts'

/** Space for a number after the name. */
const SUFFIX_CHARACTERS = 6

/**
 * A valid, unused username close to a name from a hosted provider.
 * @param preferred the `preferred_username`, or else the e-mail address
 * @param fallback for a name without letters that usernames have
 */
export async function freeUsername(db: Db, preferred: string, fallback = 'person'): Promise<string> {
  const name = toUsername(preferred, fallback)
  const stem = name.slice(0, limits.username.max - SUFFIX_CHARACTERS)
  const like = `${stem.replace(/_/g, '\\_')}-%`
  const rows = await db
    .selectFrom((from) =>
      from.selectFrom('users').select('username').union(from.selectFrom('groups').select('username')).as('names'),
    )
    .select('username')
    .where((row) => row.or([row('username', '=', name), row('username', 'like', like)]))
    .execute()
  const taken = new Set(rows.map(({ username }) => username))
  if (isUsername(name) && !taken.has(name)) return name
  for (let n = 2; ; n++) {
    const numbered = `${stem}-${n}`
    if (isUsername(numbered) && !taken.has(numbered)) return numbered
  }
}

function toUsername(preferred: string, fallback: string): string {
  const [local = ''] = preferred.split('@')
  const plain = local
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
  return (posesAsAssistant(plain) ? '' : plain.slice(0, limits.username.max)) || fallback
}
