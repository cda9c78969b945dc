import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type ErrorCode, type Problem, problem } from '#contract/errors'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import { startPolling } from '../process/poll.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { selectScheduled } from './scheduled-rows.ts'
import { sendScheduledMessage } from './send-scheduled.ts'

/** Messages sent in one run, and channels at a time. */
const BATCH = 500
const CHANNELS_AT_ONCE = 4
/** Pause before another attempt, if something other than a refusal prevented it. */
const RETRY_SECONDS = 15
/** What is later than this is not sent any more, because it may be out of date. */
const MAX_DELAY_HOURS = 24

/** What reacts to each new message: given the languages of its author, and the origins of this workspace. */
export interface Reactors {
  assistant: { onMessage(message: MessageRow, languages: readonly string[]): void }
  linkPreviews: { onMessage(message: MessageRow, origins: readonly string[]): void }
}

/**
 * Sends the messages whose time has come, those of a channel in their order. Several nodes may do so at the same time. Messages of
 * deactivated people wait, but not for longer than a day. Returns whether those were all.
 */
export async function sendDue(services: Services, reactors: Reactors, stopping?: AbortSignal): Promise<boolean> {
  const due = await selectDue(services.db).execute()
  const limit = pLimit(CHANNELS_AT_ONCE)
  const channels = [...Map.groupBy(due, ({ channelId }) => channelId).values()]
  await limit.map(channels, async (rows) => {
    for (const row of rows) if (stopping?.aborted || !(await sendOne(services, reactors, row))) return
  })
  return due.length < BATCH
}

/** What is due, except behind a message of the same channel that is to be tried again. */
const selectDue = (db: Db) =>
  selectScheduled(db)
    .innerJoin('users', 'users.id', 'scheduled_messages.userId')
    .clearSelect()
    .selectAll('scheduled_messages')
    .select('users.language')
    .select(isTooLate.as('isTooLate'))
    .where('failure', 'is', null)
    // Unlike the clock, this is the same for all rows, so that the index finds them.
    .where('nextTryAt', '<=', sql<string>`now()`)
    .where((row) => row.or([row('users.deactivatedAt', 'is', null), isTooLate]))
    .where(
      sql<boolean>`not exists (select from scheduled_messages earlier where earlier."channelId" = scheduled_messages."channelId"
        and earlier.failure is null and earlier."sendAt" < scheduled_messages."sendAt" and earlier."nextTryAt" > now())`,
    )
    .orderBy('sendAt')
    .orderBy('createdAt')
    .limit(BATCH)

const isTooLate = sql<boolean>`"sendAt" < now() - make_interval(hours => ${sql.lit(MAX_DELAY_HOURS)})`

type DueRow = Awaited<ReturnType<ReturnType<typeof selectDue>['execute']>>[number]

/** Returns whether the next message of the channel may be sent. */
async function sendOne(services: Services, { assistant, linkPreviews }: Reactors, row: DueRow): Promise<boolean> {
  const { config, log } = services
  try {
    if (row.isTooLate) await fail(services, row, 'unavailable', problem('errors.scheduledMissed'))
    else {
      const message = await sendScheduledMessage(services, row)
      if (message) assistant.onMessage(message, row.language === null ? [] : [row.language])
      if (message) linkPreviews.onMessage(message, config.publicUrl === undefined ? [] : [config.publicUrl])
    }
    return true
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500
    const next = isRefused ? fail(services, row, error.code, error.problem) : postpone(services, row, error)
    await next.catch((err) => log.warn({ err, scheduledId: row.id }, 'a scheduled message could not be put off'))
    return isRefused
  }
}

/** Tries a message again later, and what else is due in its channel, to keep the order. */
async function postpone({ db, log }: Services, { id, channelId }: DueRow, err: unknown) {
  log.warn({ err, scheduledId: id }, 'a scheduled message could not be sent yet')
  await db
    .updateTable('scheduled_messages')
    .set({ nextTryAt: sql<string>`now() + make_interval(secs => ${RETRY_SECONDS})` })
    .where('channelId', '=', channelId)
    .where('failure', 'is', null)
    .where('nextTryAt', '<=', sql<string>`now()`)
    .execute()
}

/** Returns a message to its author, with the reason; one that was changed meanwhile is another message. */
async function fail({ db, publish }: Services, { id, rev, userId }: DueRow, code: ErrorCode, why: Problem) {
  const { reason, values } = why
  const failure = JSON.stringify({ code, reason, ...(values && { values }) })
  const { numUpdatedRows } = await db
    .updateTable('scheduled_messages')
    .set({ failure, rev: sql`rev + 1` })
    .where('id', '=', id)
    .where('rev', '=', rev)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) publish(userRoom(userId), 'scheduled:changed', { id, hasFailed: true })
}

/** Looks for messages to send. Returns a function that stops it. */
export function startSendingScheduled(services: Services, reactors: Reactors) {
  const { bounds, log } = services
  const stopping = new AbortController()
  const stop = startPolling(
    { intervalMs: bounds.scheduledPollMs, log, failure: 'could not look for scheduled messages' },
    async () => ((await sendDue(services, reactors, stopping.signal)) || stopping.signal.aborted ? undefined : 0),
  )
  return () => {
    stopping.abort()
    return stop()
  }
}
