import { sql } from 'kysely'
import type { ImportedChannel, ImportedPerson, ImportPlan } from '#contract/imports'
import { limits } from '#contract/limits'
import type { User } from '#contract/users'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { readChannelNames } from './channel-names.ts'
import { EmojiNames } from './emoji-names.ts'
import { EmojiCheck } from './import-emoji.ts'
import { itemsOf } from './import-rows.ts'
import type { OmissionCounts } from './omission-counts.ts'
import { PlanCounts } from './plan-counts.ts'
import type { ImportRecord } from './records.ts'

interface Options {
  db: Db
  source: string
  records: AsyncIterable<ImportRecord>
  omitted: OmissionCounts
  config: Pick<Config, 'maxFileSize' | 'slackUrl'>
  bounds: Services['bounds']
  /** Called occasionally with the number of messages so far. */
  onProgress: (messages: number) => Promise<void>
}

const PROGRESS_MESSAGES = 1000
const PROGRESS_EMOJI = 20
/** Keys per statement. */
const KEYS = 1000

/**
 * Reads an entire archive, and describes what importing it would create. Holds its people and channels in memory, but not its
 * messages.
 */
export async function planImport(options: Options): Promise<ImportPlan> {
  const { db, source, omitted, records } = options
  const counted = new PlanCounts(options.config, omitted, await readKeptSince(db))
  const emoji = new EmojiCheck(options.bounds, await EmojiNames.read(db))
  const { people, channels, counts } = counted
  for await (const record of records) {
    if (record.kind === 'person') counted.person(record)
    else if (record.kind === 'channel') counted.channel(record)
    else if (record.kind === 'emoji') {
      counted.emoji(record, await emoji.omissionOf(record))
      if (counts.emoji % PROGRESS_EMOJI === 0) await options.onProgress(counts.messages)
    } else {
      counted.message(record)
      if (counts.messages % PROGRESS_MESSAGES === 0) await options.onProgress(counts.messages)
    }
  }
  await matchPeople(db, source, people)
  await nameChannels(db, source, channels)
  const kinds = { public: 0, private: 0, direct: 0 }
  for (const { visibility } of channels) kinds[visibility]++
  return {
    people: people.filter(({ isBot }) => !isBot).length,
    bots: people.filter(({ isBot }) => isBot).length,
    matched: people.filter(({ user }) => user !== null).length,
    channels: kinds,
    ...counts,
    firstAt: isoOf(counted.span.first),
    lastAt: isoOf(counted.span.last),
    omitted: omitted.all(),
    channelList: channels
      .filter(({ visibility }) => visibility !== 'direct')
      .sort((one, other) => Number(other.newName !== other.name) - Number(one.newName !== one.name))
      .slice(0, limits.imports.listed),
    personList: people
      .filter(({ isBot }) => !isBot)
      .sort((one, other) => Number(other.unproven !== undefined) - Number(one.unproven !== undefined))
      .slice(0, limits.imports.listed),
  }
}

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** The start of the workspace's retention period; everything is kept without a rule. */
async function readKeptSince(db: Db): Promise<number> {
  const { retentionDays } = await db.selectFrom('workspace').select('retentionDays').executeTakeFirstOrThrow()
  return retentionDays ? Date.now() - retentionDays * 86_400_000 : Number.NEGATIVE_INFINITY
}

/** Matches people to accounts, by verified e-mail address or by an earlier import. Notes those with an unverified one. */
async function matchPeople(db: Db, source: string, people: ImportedPerson[]) {
  for (let first = 0; first < people.length; first += KEYS) {
    const some = people.slice(first, first + KEYS)
    const known = await itemsOf(
      db,
      source,
      'person',
      some.map(({ key }) => key),
    )
    const users = await db
      .selectFrom('users')
      .select(['id', 'username', 'name', 'email', 'emailVerified'])
      .where((row) =>
        row.or([
          row('id', '=', sql<string>`any(${[...known.values()]}::text[])`),
          row('email', '=', sql<string>`any(${some.flatMap(({ email }) => email ?? [])}::text[])`),
        ]),
      )
      .execute()
    const byId = new Map(users.map((user) => [user.id, user]))
    const byEmail = new Map(users.map((user) => [user.email, user]))
    for (const person of some) {
      const earlier = byId.get(known.get(person.key) ?? '')
      const same = person.isBot ? undefined : byEmail.get(person.email ?? '')
      const found = earlier ?? (same?.emailVerified ? same : undefined)
      if (found) person.user = shownUser(found)
      else if (same) person.unproven = shownUser(same)
    }
  }
}

const shownUser = ({ id, username, name }: User): User => ({ id, username, name })

async function nameChannels(db: Db, source: string, channels: ImportedChannel[]) {
  const names = await readChannelNames(db)
  for (let first = 0; first < channels.length; first += KEYS) {
    const some = channels.slice(first, first + KEYS)
    const known = await itemsOf(
      db,
      source,
      'channel',
      some.map(({ key }) => key),
    )
    for (const channel of some) {
      channel.isKnown = known.has(channel.key)
      if (channel.visibility === 'direct' || channel.isKnown) continue
      channel.newName = names.free(channel.name, source)
      names.add(channel.newName)
    }
  }
}
