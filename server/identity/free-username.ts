import { limits } from '#contract/limits'
import { isUsername, posesAsAssistant } from '#contract/users'
import type { Db } from '../db/database.ts'
import { lookOfUsername } from '../text/lookalike-names.ts'

/** Room for a number after the name. */
const SUFFIX_CHARACTERS = 6

/**
 * A valid, unused username close to a name from a hosted provider, which doesn't look like anybody else's.
 * @param preferred the `preferred_username`, or else the e-mail address
 * @param fallback for a name without letters allowed in usernames
 */
export async function freeUsername(db: Db, preferred: string, fallback = 'person'): Promise<string> {
  const name = toUsername(preferred, fallback)
  const stem = name.slice(0, limits.username.max - SUFFIX_CHARACTERS)
  const startsLike = (start: string) => `${start.replace(/_/g, '\\_')}%`
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('users')
        .select(['username', 'usernameLook'])
        .union(from.selectFrom('groups').select(['username', 'usernameLook']))
        .as('names'),
    )
    .select(['username', 'usernameLook'])
    .where((row) =>
      row.or([
        row('username', '=', name),
        row('usernameLook', '=', lookOfUsername(name)),
        row('username', 'like', startsLike(`${stem}-`)),
        row('usernameLook', 'like', startsLike(lookOfUsername(`${stem}-`))),
      ]),
    )
    .execute()
  // A node of an earlier version doesn't write looks.
  const taken = new Set(rows.map(({ username, usernameLook }) => usernameLook ?? lookOfUsername(username)))
  const isFree = (username: string) => isUsername(username) && !taken.has(lookOfUsername(username))
  if (isFree(name)) return name
  for (let n = 2; ; n++) if (isFree(`${stem}-${n}`)) return `${stem}-${n}`
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
