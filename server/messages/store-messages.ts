import { sql, type Transaction } from 'kysely'
import { noteChange } from '../channels/revision.ts'
import { type Database, databaseFailure } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import {
  type AppError,
  conflict,
  internal,
  invalidField,
  mayNotPost,
  notAMember,
  notFound,
  type PostRefusal,
  unavailable,
} from '../errors.ts'
import type { Logger } from '../process/logger.ts'
import { searchTextOf, writeSearchText } from '../search/search-text.ts'
import { audiencesOf, type Mentions } from './mentions.ts'
import { type MessageRow, selectMessages } from './message-rows.ts'
import { saveAudiences } from './update-message.ts'

export interface NewMessage {
  channelId: string
  userId: string
  content: string
  clientId: string | null
  mentions?: Mentions | null
}

export interface StoredMessage {
  message: MessageRow
  /** The channel's last removal before the message; see `realtime/removals.ts`. */
  lastRemoval: number
}

/** `repeated`: a message with this key already exists. `busy`: another transaction holds the channel's lock. */
export type SendOutcome =
  | ({ kind: 'stored' } & StoredMessage)
  | { kind: 'repeated'; message: MessageRow }
  | { kind: 'refused'; error: AppError }
  | { kind: 'busy' }

export interface SendResult {
  message: MessageRow
  /** False if an earlier call with the same key stored it. */
  isNew: boolean
}

interface Row {
  outcome: 'new' | 'stored' | 'reused' | 'not_a_member' | 'gone' | 'busy' | PostRefusal
  id: string
  seq: number
  rev: number
  createdAt: string
  lastRemoval: number
}

// Migration 0061 defines the function and its outcomes. The statement also writes the search text, and the mentions of groups and by keywords.
const SEND_STATEMENT = {
  name: 'send_messages_4',
  text: `
    with sent as materialized (
      select outcome, id, seq, rev, "createdAt", "lastRemoval" from send_messages_4($1, $2, $3, $4, $5, $6, $7)
    ), indexed as (
      insert into message_search ("messageId", "channelId", text)
      select id, given.channel, given.text from unnest($1::uuid[], $2::uuid[], $8::text[]) as given(id, channel, text)
      join sent using (id) where outcome = 'new'
    ), grouped as (
      insert into mentions ("messageId", "channelId", seq, "authorId", "userId", "groupId", audience, "isKeyword")
      select given.id, given.channel, sent.seq, given.author,
        given."userId", given."groupId", given.audience, given."isKeyword"
      from jsonb_to_recordset($9) as given
        (id uuid, channel uuid, author text, "userId" text, "groupId" uuid, audience text[], "isKeyword" boolean)
      join sent on sent.id = given.id where outcome = 'new'
    )
    select * from sent`,
}

const MAX_ATTEMPTS = 4

/**
 * Stores messages in the order given, in one round trip and one transaction. If single rows make a group fail, it is split until
 * only those fail. Never rejects.
 * @param waitsForLocks waits up to a second for locked channels; otherwise their messages are `busy`
 */
export async function storeMessages(
  database: Database,
  log: Logger,
  messages: NewMessage[],
  waitsForLocks: boolean,
): Promise<SendOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await storeInOneStatement(database, messages, waitsForLocks)
    } catch (error) {
      const code = String((error as { code?: string }).code)
      if (messages.length > 1 && (isRowError(code) || (code === LOCK_TIMEOUT_CODE && !waitsForLocks)))
        return storeInHalves(database, log, messages, waitsForLocks)
      // Another transaction stores the same key in another channel: once it commits, a retry finds the outcome.
      if (isRace(code) && attempt < MAX_ATTEMPTS) continue
      const refusal = refusalOf(error, code)
      if (refusal.status === 500) log.error({ err: error }, 'messages could not be stored')
      return messages.map(() => ({ kind: 'refused', error: refusal }))
    }
  }
}

async function storeInOneStatement({ db, pool }: Database, messages: NewMessage[], waitsForLocks: boolean) {
  const column = <K extends keyof NewMessage>(key: K) => messages.map((message) => message[key])
  const ids = messages.map(newId)
  const audiences = messages.flatMap(({ channelId, userId, mentions }, i) =>
    audiencesOf(mentions).map((its) => ({ id: ids[i], channel: channelId, author: userId, ...its })),
  )
  const values = [
    ids,
    column('channelId'),
    column('userId'),
    column('content'),
    column('clientId'),
    messages.map(({ mentions }) => (mentions ? JSON.stringify(mentions) : null)),
    waitsForLocks,
    messages.map(({ content }) => searchTextOf(content)),
    JSON.stringify(audiences),
  ]
  const { rows } = await pool.query<Row>({ ...SEND_STATEMENT, values })
  const repeated = await readRepeated(db, rows)
  return rows.map((row, i) => outcomeOf(row, messages[i] as NewMessage, repeated))
}

async function storeInHalves(
  database: Database,
  log: Logger,
  messages: NewMessage[],
  waitsForLocks: boolean,
): Promise<SendOutcome[]> {
  const half = Math.ceil(messages.length / 2)
  const first = await storeMessages(database, log, messages.slice(0, half), waitsForLocks)
  // The failed transaction may hold a channel's lock a moment longer: later messages must not overtake busy ones.
  const busyChannels = new Set(first.flatMap(({ kind }, i) => (kind === 'busy' ? [messages[i]?.channelId] : [])))
  const rest = messages.slice(half)
  const free = rest.filter(({ channelId }) => !busyChannels.has(channelId))
  const second = free.length > 0 ? await storeMessages(database, log, free, waitsForLocks) : []
  const outcomes = second.values()
  return [
    ...first,
    ...rest.map(({ channelId }): SendOutcome => {
      const isFree = !busyChannels.has(channelId)
      return (isFree && outcomes.next().value) || { kind: 'busy' }
    }),
  ]
}

/** Stores one message within a larger transaction. @throws AppError if it is rejected or its channel is busy */
export async function storeMessage(tx: Transaction<DB>, message: NewMessage): Promise<SendResult> {
  const { channelId, userId, content, clientId, mentions } = message
  const { rows } = await sql<Row>`
    select outcome, id, seq, rev, "createdAt", "lastRemoval" from send_messages_4(
      array[${newId()}]::uuid[], array[${channelId}]::uuid[], array[${userId}]::text[], array[${content}]::text[],
      array[${clientId}]::text[], array[${mentions ? JSON.stringify(mentions) : null}]::jsonb[], true)
  `.execute(tx)
  const outcome = outcomeOf(rows[0] as Row, message, await readRepeated(tx, rows))
  const result = resultOf(outcome)
  if (outcome.kind === 'stored') {
    const { rev } = outcome.message
    // Storing a message removes nobody.
    noteChange(tx, { rev, lastRemoval: outcome.lastRemoval, previousRemoval: outcome.lastRemoval })
    await writeSearchText(tx, result.message)
    await saveAudiences(tx, result.message, audiencesOf(mentions))
  }
  return result
}

/**
 * Retries a transaction that lost a race for its message's key. The winner has committed, so the retry finds the key, or is
 * rejected because the key belongs to another conversation.
 */
export const retryKeyRace = <T>(transaction: () => Promise<T>): Promise<T> =>
  transaction().catch((error) => {
    if (error.constraint === 'messages_userId_clientId_key') return transaction()
    throw error
  })

/** @throws AppError if the message was not stored */
export function resultOf(outcome: SendOutcome): SendResult {
  switch (outcome.kind) {
    case 'stored':
    case 'repeated':
      return { message: outcome.message, isNew: outcome.kind === 'stored' }
    case 'refused':
      throw outcome.error
    case 'busy':
      throw unavailable('another transaction held the lock of the channel')
  }
}

const isRace = (code: string) => code === '23505' || code === '40P01'
const isRowError = (code: string) => /^(22|23)/.test(code) || isRace(code)
const LOCK_TIMEOUT_CODE = '55P03'

function refusalOf(error: unknown, code: string): AppError {
  const failure = databaseFailure(error)
  if (failure) return failure
  if (isRace(code)) return unavailable(error)
  if (/^22/.test(code)) return invalidField('content', 'errors.unstorable')
  return internal('errors.messageNotStored')
}

/** The messages stored earlier under repeated keys, by id. */
async function readRepeated(db: Database['db'] | Transaction<DB>, rows: Row[]) {
  const ids = rows.filter(({ outcome }) => outcome === 'stored').map(({ id }) => id)
  const repeated = ids.length > 0 ? await selectMessages(db).where('messages.id', 'in', ids).execute() : []
  return new Map(repeated.map((message) => [message.id, message]))
}

function outcomeOf(
  { outcome, lastRemoval, ...row }: Row,
  message: NewMessage,
  repeated: Map<string, MessageRow>,
): SendOutcome {
  switch (outcome) {
    case 'new':
      return { kind: 'stored', message: rowOf(row, message), lastRemoval }
    case 'stored':
      return { kind: 'repeated', message: repeated.get(row.id) as MessageRow }
    case 'reused':
      return refused(conflict('client_id_reused', 'errors.clientIdReused'))
    case 'not_a_member':
      return refused(notAMember())
    case 'gone':
      return refused(notFound('errors.channelNotFound'))
    case 'busy':
      return { kind: 'busy' }
    default:
      return refused(mayNotPost(outcome))
  }
}

const refused = (error: AppError): SendOutcome => ({ kind: 'refused', error })

const rowOf = (
  { createdAt, ...row }: Omit<Row, 'outcome' | 'lastRemoval'>,
  { mentions, ...message }: NewMessage,
): MessageRow => ({
  ...row,
  ...message,
  threadId: null,
  createdAt,
  updatedAt: createdAt,
  editedAt: null,
  deletedAt: null,
  files: [],
  mentions: mentions?.mentions ?? [],
  broadcast: mentions?.broadcast ?? null,
  reactions: [],
  replyCount: 0,
  lastReplyAt: null,
  lastRepliers: [],
  pinnedAt: null,
  pinnedBy: null,
  previews: null,
})
