import { sql } from 'kysely'
import { directName } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { type ChannelNames, readChannelNames } from './channel-names.ts'
import type { KnownPerson } from './import-people.ts'
import { choiceOf, holdImport, type ImportJob } from './import-rows.ts'
import { knownAs, readImported } from './imported-channels.ts'
import type { ChannelRecord } from './records.ts'
import { tidyName } from './tidy-name.ts'
import { timeOf } from './times.ts'

export interface KnownChannel {
  id: string
  name: string
  /** Whether this import fills it and nobody can see it yet; otherwise it was imported before, and is left unchanged. */
  isOpen: boolean
  /** Whether everybody may know its name. */
  isPublic: boolean
}

/**
 * Creates a channel that nobody can see yet: a direct message without people, whose name is not unique. `publishChannel` turns it
 * into its final form. If an earlier import's channel has been deleted since, it is created again.
 */
export async function importChannel(
  db: Db,
  job: ImportJob,
  source: string,
  record: ChannelRecord,
  people: ReadonlyMap<string, KnownPerson>,
  names: ChannelNames,
): Promise<KnownChannel> {
  const { key, topicOf } = record
  const imported = await readImported(db, source, topicOf === undefined ? [key] : [key, topicOf])
  const existing = knownAs(imported, key, topicOf, job.id)
  if (existing) {
    names.add(existing.name)
    const isHidden = existing.kind === 'direct' && existing.memberCount === 0
    const isOpen = existing.importId === job.id && isHidden
    const isPublic = isOpen ? record.visibility === 'public' : existing.kind === 'public'
    return { id: existing.id, name: existing.name, isOpen, isPublic }
  }
  const members = membersOf(record, people)
  const name = nameOf(record, job, source, members, names)
  names.add(name)
  const id = newId()
  const owner = (record.ownerKey && people.get(record.ownerKey)) || undefined
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    const createdAt = timeOf(record.createdAt)
    await tx
      .insertInto('channels')
      .values({
        id,
        name,
        kind: 'direct',
        topic: tidyName(record.topic, limits.topic),
        ownerId: record.visibility === 'direct' ? null : ownerOf(owner, members, record.visibility, job.userId),
        // Kept until it is published: retention must not remove half of a thread.
        retentionDays: 0,
        ...(createdAt !== null && { createdAt: new Date(createdAt).toISOString() }),
      })
      .execute()
    await tx
      .insertInto('import_items')
      .values({ source, kind: 'channel', key: record.key, id, importId: job.id })
      .onConflict((it) => it.columns(['source', 'kind', 'key']).doUpdateSet({ id, importId: job.id }))
      .execute()
  })
  return { id, name, isOpen: true, isPublic: record.visibility === 'public' }
}

const membersOf = ({ memberKeys }: ChannelRecord, people: ReadonlyMap<string, KnownPerson>) => [
  ...new Map(
    memberKeys
      .flatMap((key) => people.get(key) ?? [])
      .filter(({ id }) => id !== ASSISTANT)
      .map((person) => [person.id, person]),
  ).values(),
]

/** A conversation with oneself becomes a private channel. */
const kindOf = ({ visibility }: ChannelRecord, members: KnownPerson[]) =>
  visibility === 'direct' && members.length < 2 ? 'private' : visibility

function nameOf(record: ChannelRecord, job: ImportJob, source: string, members: KnownPerson[], names: ChannelNames) {
  if (kindOf(record, members) === 'direct') return directName(members.map(({ username }) => username))
  const asked = record.visibility === 'direct' ? `notes-${members[0]?.username ?? source}` : record.name
  return names.free(choiceOf(job.choices.channels, record.key) ?? asked, source)
}

/**
 * A member, or the importer for a public channel without members: the archive may name an owner who has left, and who may not
 * read a private channel here.
 */
function ownerOf(
  owner: KnownPerson | undefined,
  members: KnownPerson[],
  visibility: string,
  importerId: string,
): string | null {
  if (owner?.isActive && members.some(({ id }) => id === owner.id)) return owner.id
  return members.find(({ isActive }) => isActive)?.id ?? (visibility === 'public' ? importerId : null)
}

/** Now, if the archive doesn't say since when. */
function archivedAt(archived: string | true) {
  const at = archived === true ? null : timeOf(archived)
  return at === null || at > Date.now() ? sql<string>`clock_timestamp()` : new Date(at).toISOString()
}

/**
 * Makes an imported channel visible, with everything in it read. Every node notices the new members by polling and updates their
 * clients; nobody is notified.
 */
export async function publishChannel(
  db: Db,
  job: ImportJob,
  source: string,
  record: ChannelRecord,
  { id }: KnownChannel,
  people: ReadonlyMap<string, KnownPerson>,
) {
  const members = membersOf(record, people)
  const kind = kindOf(record, members)
  const userIds = members.map((person) => person.id)
  const isDirect = kind === 'direct'
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    const channel = await tx
      .selectFrom('channels')
      .select(['name', 'ownerId', 'memberCount', 'seq', 'rev'])
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!channel || channel.memberCount > 0) return
    if (kind === 'public' && channel.ownerId !== null && !userIds.includes(channel.ownerId))
      userIds.push(channel.ownerId)
    const directKey = isDirect ? [...userIds].sort().join(' ') : null
    // A conversation of the same people that was started here remains the one that is opened.
    const isTaken =
      directKey !== null &&
      (await tx.selectFrom('channels').select('id').where('directKey', '=', directKey).executeTakeFirst())
    const rev = channel.rev + 1
    if (kind !== 'direct') {
      const others = tx.selectFrom('channels').select('id').where('deletedAt', 'is', null).where('kind', '<>', 'direct')
      const isNameTaken = await others
        .where(sql`lower(name)`, '=', channel.name.toLowerCase())
        .limit(1)
        .executeTakeFirst()
      if (isNameTaken) channel.name = (await readChannelNames(tx as unknown as Db)).free(channel.name, source)
    }
    await tx
      .updateTable('channels')
      .set({
        kind,
        name: channel.name,
        directKey: isTaken ? null : directKey,
        memberCount: userIds.length,
        rev,
        selfRev: rev,
        retentionDays: null,
        ...(record.visibility !== 'direct' &&
          record.archived !== undefined && { archivedAt: archivedAt(record.archived) }),
        changedAt: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    await sql`
      insert into memberships ("channelId", "userId", "lastReadSeq", "readVersion", "joinedAt")
      select ${id}::uuid, member, ${channel.seq}, ${rev}, c."createdAt"
      from channels c, unnest(${userIds}::text[]) member where c.id = ${id}::uuid
    `.execute(tx)
    // People who wrote in a thread follow it, with everything read.
    await sql`
      insert into thread_follows ("threadId", "userId", "lastReadSeq")
      select distinct parent.id, follower."userId", parent."threadSeq"
      from messages parent
      cross join lateral (
        select parent."userId" union select r."userId" from messages r where r."threadId" = parent.id
      ) follower
      where parent."channelId" = ${id}::uuid and parent."threadId" is null and parent."threadSeq" > 0
      on conflict do nothing
    `.execute(tx)
  })
}
