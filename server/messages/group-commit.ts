import { sql, type Transaction } from 'kysely'
import { type Database, isUnavailable } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { AppError, conflict, invalid, notAMember, notFound, unavailable } from '../errors.ts'
import type { Logger } from '../process/logger.ts'
import { writeSearchText } from '../search/search-text.ts'
import { fold } from '../text/fold.ts'
import type { Mentions } from './mentions.ts'
import { type MessageRow, selectMessages } from './message-rows.ts'

export interface Draft {
  channelId: string
  userId: string
  content: string
  clientId: string | null
  mentions?: Mentions | null
}

/** What became of a draft. `busy`: somebody else holds its channel, and it was not waited for. */
export type Outcome = { message: MessageRow; isNew: boolean } | { refused: AppError } | 'busy'

interface Row {
  outcome: 'new' | 'stored' | 'reused' | 'not_a_member' | 'gone' | 'busy'
  id: string
  seq: number
  rev: number
  createdAt: string
}

// migrations/0005 holds the function and says what its outcomes mean. The text for search is written with the message.
const STATEMENT = {
  name: 'send_messages',
  text: `
    with sent as materialized (
      select outcome, id, seq, rev, "createdAt" from send_messages($1, $2, $3, $4, $5, $6, $7)
    ), told as (
      insert into message_search ("messageId", "channelId", text)
      select id, given.channel, given.text from unnest($1::uuid[], $2::uuid[], $8::text[]) as given(id, channel, text)
      join sent using (id) where outcome = 'new'
    )
    select * from sent`,
}

/**
 * Stores drafts in one round trip and one transaction, in the order given, and answers what became of each. A group
 * that fails for one row's sake is split until only that row fails. Never rejects.
 * @param wait waits up to a second for channels that somebody else holds; else their drafts are `busy`
 */
export async function sendGroup(
  { db, pool }: Database,
  log: Logger,
  drafts: Draft[],
  wait: boolean,
): Promise<Outcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const column = <K extends keyof Draft>(key: K) => drafts.map((draft) => draft[key])
      const values = [
        drafts.map(newId),
        column('channelId'),
        column('userId'),
        column('content'),
        column('clientId'),
        drafts.map(({ mentions }) => (mentions ? JSON.stringify(mentions) : null)),
        wait,
        drafts.map(({ content }) => fold(content)),
      ]
      const { rows } = await pool.query<Row>({ ...STATEMENT, values })
      const stored = await readStored(db, rows)
      return rows.map((row, i) => outcomeOf(row, drafts[i] as Draft, stored))
    } catch (error) {
      const code = String((error as { code?: string }).code)
      if (drafts.length > 1 && (isRowsFault(code) || (code === LOCK_TIMEOUT && !wait)))
        return inHalves({ db, pool }, log, drafts, wait)
      // The same key goes into another channel in this moment: once that is through, it can be told.
      if (isRace(code) && attempt < 4) continue
      const refused = refusal(error, code)
      if (refused.status === 500) log.error({ err: error }, 'messages could not be stored')
      return drafts.map(() => ({ refused }))
    }
  }
}

/** Stores one draft within a transaction that does more. @throws AppError as an outcome that is refused */
export async function sendOne(tx: Transaction<DB>, draft: Draft) {
  const { channelId, userId, content, clientId, mentions } = draft
  const given = mentions ? JSON.stringify(mentions) : null
  const { rows } = await sql<Row>`
    select outcome, id, seq, rev, "createdAt" from send_messages(
      array[${newId()}]::uuid[], array[${channelId}]::uuid[], array[${userId}]::text[], array[${content}]::text[],
      array[${clientId}]::text[], array[${given}]::jsonb[], true)
  `.execute(tx)
  const outcome = outcomeOf(rows[0] as Row, draft, await readStored(tx, rows))
  if (outcome === 'busy') throw unavailable()
  if ('refused' in outcome) throw outcome.refused
  if (outcome.isNew) await writeSearchText(tx, outcome.message)
  return outcome
}

async function inHalves(database: Database, log: Logger, drafts: Draft[], wait: boolean) {
  const half = Math.ceil(drafts.length / 2)
  const first = await sendGroup(database, log, drafts.slice(0, half), wait)
  // The transaction that failed may hold a channel for a moment more: what comes after must not overtake.
  const held = new Set(first.flatMap((outcome, i) => (outcome === 'busy' ? [drafts[i]?.channelId] : [])))
  const rest = drafts.slice(half)
  const free = rest.filter(({ channelId }) => !held.has(channelId))
  const second = free.length > 0 ? await sendGroup(database, log, free, wait) : []
  return [...first, ...rest.map(({ channelId }) => (held.has(channelId) ? 'busy' : (second.shift() as Outcome)))]
}

const isRace = (code: string) => code === '23505' || code === '40P01'
const isRowsFault = (code: string) => /^(22|23)/.test(code) || isRace(code)
const LOCK_TIMEOUT = '55P03'

function refusal(error: unknown, code: string): AppError {
  if (code === LOCK_TIMEOUT || isRace(code) || isUnavailable(error)) return unavailable()
  if (/^22/.test(code)) return invalid('content holds characters that cannot be stored')
  return new AppError(500, 'internal', 'The message could not be stored')
}

/** The messages that stand under keys that were given again. */
async function readStored(db: Database['db'] | Transaction<DB>, rows: Row[]) {
  const ids = rows.filter(({ outcome }) => outcome === 'stored').map(({ id }) => id)
  const stored = ids.length > 0 ? await selectMessages(db).where('messages.id', 'in', ids).execute() : []
  return new Map(stored.map((message) => [message.id, message]))
}

function outcomeOf({ outcome, ...row }: Row, draft: Draft, stored: Map<string, MessageRow>): Outcome {
  switch (outcome) {
    case 'new':
      return { message: messageOf(row, draft), isNew: true }
    case 'stored':
      return { message: stored.get(row.id) as MessageRow, isNew: false }
    case 'reused':
      return { refused: conflict('client_id_reused', 'This clientId belongs to a message elsewhere') }
    case 'not_a_member':
      return { refused: notAMember() }
    case 'gone':
      return { refused: notFound('Channel') }
    case 'busy':
      return 'busy'
  }
}

const messageOf = ({ createdAt, ...row }: Omit<Row, 'outcome'>, { mentions, ...draft }: Draft): MessageRow => ({
  ...row,
  ...draft,
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
})
