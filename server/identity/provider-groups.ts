import type { Transaction } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import type { OidcConfig } from '../config/oidc-settings.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { isManaged, lockGroups } from '../groups/groups.ts'
import { bumpPeopleVersion, endLinksOf } from '../people/deactivate.ts'

/** Further groups of a person are ignored. */
const MAX_GROUPS = 2000

/**
 * The groups in the claims of a sign-in: an array of strings, or one string. The claim is a name, or a path such as
 * `realm_access.roles`. Empty if it is missing; undefined if the provider indicates that there are too many to send.
 */
export function groupsIn(claims: Record<string, unknown>, claim: string): string[] | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce<unknown>(stepInto, claims)
  const isElsewhere = claims['hasgroups'] === true || stepInto(claims['_claim_names'], claim) !== undefined
  if (value === undefined && isElsewhere) return undefined
  return [value]
    .flat()
    .slice(0, MAX_GROUPS)
    .filter((group) => typeof group === 'string')
}

const stepInto = (value: unknown, key: string) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

/** The role for somebody's groups at the provider. Without a group any more, an admin becomes a member again. */
function roleFor({ roles }: OidcConfig, groups: readonly string[], now: string): string {
  // Only the owner can transfer ownership.
  if (roles.length === 0 || now === 'owner') return now
  const given = roles.find(({ from }) => groups.includes(from))?.name
  if (given) return given
  return now === 'admin' && roles.some(({ name }) => name === 'admin') ? 'member' : now
}

/**
 * Sets somebody's role by their groups at the provider, as of this sign-in. Triggers write the audit log.
 * @returns whether it changed
 */
export async function applyRole(db: Db, config: OidcConfig, userId: string, groups: readonly string[]) {
  const read = async (within: Db | Transaction<DB>) =>
    (await within.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow()).role
  const before = await read(db)
  if (roleFor(config, groups, before) === before) return false
  return db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    const now = await read(tx)
    const role = roleFor(config, groups, now)
    if (role === now) return false
    await tx
      .updateTable('users')
      .set({ role, ...(now === 'guest' && { guestUntil: null }) })
      .where('id', '=', userId)
      .execute()
    if (role === 'member') await endLinksOf(tx, userId)
    return true
  })
}

/**
 * Adds somebody to the groups mapped from their groups at the provider, as of this sign-in, and removes them from other mapped
 * groups. Skips groups that a directory manages or that don't exist. Guests are in no groups.
 * @returns whether a group changed
 */
export async function applyGroups(db: Db, config: OidcConfig, userId: string, theirs: readonly string[]) {
  const { groups } = config
  if (groups.length === 0) return false
  const names = [...new Set(groups.map(({ name }) => name))]
  const wanted = new Set(groups.filter(({ from }) => theirs.includes(from)).map(({ name }) => name))
  const readOther = async (within: Db | Transaction<DB>) => {
    const found = await within
      .selectFrom('groups')
      .leftJoin('group_people', (join) => join.onRef('groupId', '=', 'groups.id').on('userId', '=', userId))
      .innerJoin('users', (join) => join.on('users.id', '=', userId).on('role', '<>', 'guest'))
      .select(['groups.id', 'groups.username', 'group_people.userId'])
      .where('groups.username', 'in', names)
      .where((row) => row.not(isManaged))
      .execute()
    return found.filter((group) => (group.userId !== null) !== wanted.has(group.username))
  }
  if ((await readOther(db)).length === 0) return false
  return db.transaction().execute(async (tx) => {
    await lockGroups(tx)
    const changed = await readOther(tx)
    for (const { id: groupId, username } of changed) {
      const joins = wanted.has(username)
      if (joins) await tx.insertInto('group_people').values({ groupId, userId }).execute()
      else await tx.deleteFrom('group_people').where('groupId', '=', groupId).where('userId', '=', userId).execute()
      const details = { group: username, joins }
      await writeAudit(tx, { kind: 'group_changed', actorId: null, personId: userId, details })
    }
    return changed.length > 0
  })
}
