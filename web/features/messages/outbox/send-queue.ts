import { sendMessage } from '#contract/messages'
import { sendReply } from '#contract/threads'
import { ApiError, call, isRefusal, queryClient } from '../../../api-client/api.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { attachmentsIn, giveBack } from './attachments.ts'
import { draftOf, isBoxShown, saveDrafts, setDraft } from './drafts.ts'
import { boxOf, type PendingMessage, targetOf } from './pending-message.ts'
import {
  boxesWithRows,
  changeRow,
  holdRow,
  pendingIn,
  readRows,
  releaseRow,
  removeRow,
  rowsAuthor,
} from './pending-messages.ts'
import { inTurn } from './tab-lock.ts'

const SHORTEST = 1000
const LONGEST = 30_000

/** Nothing is sent unless its author is here. */
let isOpen = false
/** Boxes this tab sends from. A new one for each author: nobody waits for what others left. */
let busy = new Set<string>()
/** Boxes whose next try waits, and how long they waited last. */
const waits = new Map<string, ReturnType<typeof setTimeout>>()
const delays = new Map<string, number>()
/** What was written or retried in this tab: refused, it comes back to the box here. */
const mine = new Set<string>()

export function startSending() {
  isOpen = true
}

export function stopSending() {
  isOpen = false
  for (const box of [...waits.keys()]) endWait(box)
}

/** Whatever is on its way is no affair of this tab any more. */
export function forgetSending() {
  stopSending()
  busy = new Set()
  mine.clear()
}

/** Sends a message of this tab as soon as those before it in its box are through. */
export function sendMine(message: PendingMessage) {
  const box = boxOf(message)
  mine.add(message.clientId)
  if (waits.has(box)) void queueBehind(box)
  else void drain(box)
}

/** The connection is back, or somebody thinks so: sends all that waits. */
export function sendWaiting() {
  for (const box of boxesWithRows()) {
    endWait(box)
    void drain(box)
  }
}

/** Sends what waits for no appointed time: of a tab that was closed, or sleeps. */
export function sendLeft() {
  for (const box of boxesWithRows()) void drain(box)
}

/** One message at a time per box, so that they arrive in the order they were written. */
async function drain(box: string) {
  const held = busy
  if (!isOpen || held.has(box) || waits.has(box) || !nextIn(box)) return
  held.add(box)
  try {
    while (await inTurn(`parley outbox ${rowsAuthor()} ${box}`, () => sendNext(box, held)));
  } finally {
    held.delete(box)
  }
  // One may have been written while the turn was given back.
  if (busy === held) void drain(box)
}

const nextIn = (box: string) => pendingIn(box).find(({ state }) => state !== 'failed')

/** Answers whether there may be another one to send. */
async function sendNext(box: string, held: typeof busy): Promise<boolean> {
  // What another tab did in its turn.
  await readRows()
  const next = nextIn(box)
  if (!isOpen || busy !== held || !next) return false
  holdRow(next)
  try {
    return await deliver(next, held)
  } finally {
    releaseRow(next)
  }
}

async function deliver(message: PendingMessage, held: typeof busy): Promise<boolean> {
  try {
    const sent = await post(message)
    if (busy !== held) return false
    insertSent(queryClient, sent)
    endWait(boxOf(message))
    await removeRow(message)
    return true
  } catch (error) {
    if (busy !== held) return false
    // Without a session it waits for its person to sign in again.
    if (isRefusal(error) && error.status !== 401) {
      await refused(message, error)
      return true
    }
    const answered = error instanceof ApiError
    const reason = answered ? 'Queued. The server is busy' : 'Queued. Waiting for the connection'
    wait(boxOf(message), answered ? error.retryAfter : undefined)
    await changeRow(message, { state: 'queued', reason })
    await queueBehind(boxOf(message))
    return false
  }
}

/** What waits for a message that waits, waits for the same. */
async function queueBehind(box: string) {
  const first = nextIn(box)
  if (first?.state !== 'queued') return
  const { state, reason } = first
  const others = pendingIn(box).filter((it) => it.state === 'sending')
  await Promise.all(others.map((it) => changeRow(it, { state, ...(reason && { reason }) })))
}

function post({ channelId, threadId, content, clientId, files }: PendingMessage) {
  const message = { content, clientId, ...(files && { fileIds: files.map(({ id }) => id) }) }
  return threadId === null
    ? call(sendMessage, { body: { channelId, ...message } })
    : call(sendReply, { body: { parentMessageId: threadId, ...message } })
}

/**
 * The text is back in the box of the tab that wrote it. Where that holds new text by now, or is not there any more
 * (another tab sent it, or this one after a reload), it stays as a failed row.
 */
async function refused(message: PendingMessage, error: ApiError) {
  const box = boxOf(message)
  const failure = message.threadId === null ? 'Not sent' : 'Failed to create thread message'
  const reason = `${failure}: ${error.reason ?? error.message}`
  console.error(`${failure}:`, error)
  const isPlaceGone = error.status === 404
  const isStranded = isPlaceGone || error.code === 'not_a_member'
  if (!isPlaceGone && !isBoxShown(box)) showToast(`${reason}. The text waits where it was written.`)
  if (!isPlaceGone && mine.has(message.clientId) && isEmpty(box)) {
    setDraft(box, { text: message.content, refusal: reason, to: targetOf(message) })
    if (message.files) giveBack(box, message.files)
    // In one place at least, whatever happens now.
    saveDrafts()
    await removeRow(message)
  } else {
    await changeRow(message, { state: 'failed', reason, ...(isStranded && { isStranded }) })
  }
}

const isEmpty = (box: string) => draftOf(box).text === '' && attachmentsIn(box).length === 0

function wait(box: string, asked: number | undefined) {
  const delay = Math.min((delays.get(box) ?? SHORTEST / 2) * 2, LONGEST)
  clearTimeout(waits.get(box))
  delays.set(box, delay)
  const again = () => {
    waits.delete(box)
    void drain(box)
  }
  waits.set(box, setTimeout(again, asked ?? delay))
}

export function endWait(box: string) {
  clearTimeout(waits.get(box))
  waits.delete(box)
  delays.delete(box)
}
