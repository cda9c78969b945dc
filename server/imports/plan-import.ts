import { sql } from 'kysely'
import type { ImportedChannel, ImportedPerson, ImportPlan, TopicsAs } from '#contract/imports'
import { limits } from '#contract/limits'
import type { User } from '#contract/users'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { readChannelNames } from './channel-names.ts'
import { EmojiNames } from './emoji-names.ts'
import { EmojiCheck } from './import-emoji.ts'
import { itemsOf } from './import-rows.ts'
import { knownAs, readImported } from './imported-channels.ts'
import type { OmissionCounts } from './omission-counts.ts'
import { PlanCounts } from './plan-counts.ts'
import type { ImportRecord } from './records.ts'

interface Options {
  db: Db
  source: string
  records: AsyncIterable<ImportRecord>
  /** What topics are read as. */
  topics: TopicsAs
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
  await nameChannels(db, source, channels, counted.topicOf)
  const kinds = { public: 0, private: 0, direct: 0 }
  for (const { visibility } of channels) kinds[visibility]++
  return {
    people: people.filter(({ isBot }) => !isBot).length,
    bots: people.filter(({ isBot }) => isBot).length,
    matched: people.filter(({ user }) => user !== null).length,
    channels: kinds,
    ...counts,
    ...(counted.topics > 0 && { topics: { count: counted.topics, as: options.topics } }),
    firstAt: isoOf(counted.span.first),
    lastAt: isoOf(counted.span.last),
    omitted: omitted.all(),
    channelList: channels
      .filter((channel) => isListed(channel, counted.topicOf))
      .sort((one, other) => Number(other.newName !== other.name) - Number(one.newName !== one.name))
      .slice(0, limits.imports.listed),
    personList: people
      .filter(({ isBot }) => !isBot)
      .sort((one, other) => Number(other.unproven !== undefined) - Number(one.unproven !== undefined))
      .slice(0, limits.imports.listed),
  }
}

/** Names of private topics are left out if there is nothing to say about them: whoever owns the workspace next may read the plan. */
const isListed = ({ key, name, newName, visibility, isKnown }: ImportedChannel, topicOf: ReadonlyMap<string, string>) =>
  visibility === 'public' || (visibility === 'private' && (!topicOf.has(key) || isKnown || newName !== name))

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

/** @param topicOf the channels that topics belong to: if one was imported before, so were its topics */
async function nameChannels(db: Db, source: string, channels: ImportedChannel[], topicOf: ReadonlyMap<string, string>) {
  const names = await readChannelNames(db)
  for (let first = 0; first < channels.length; first += KEYS) {
    const some = channels.slice(first, first + KEYS)
    const keys = some.flatMap(({ key }) => [key, topicOf.get(key) ?? key])
    const known = await readImported(db, source, [...new Set(keys)])
    for (const channel of some) {
      channel.isKnown = knownAs(known, channel.key, topicOf.get(channel.key)) !== undefined
      if (channel.visibility === 'direct' || channel.isKnown) continue
      channel.newName = names.free(channel.name, source)
      names.add(channel.newName)
    }
  }
}
