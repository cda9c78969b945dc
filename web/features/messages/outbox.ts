import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { sendMessage } from '#contract/messages'
import { sendReply } from '#contract/threads'
import { ApiError, call, queryClient } from '../../api.ts'
import { showToast } from '../../ui/toast.tsx'
import { draftOf, dropDrafts, isBoxShown, setDraft } from './drafts.ts'
import { addOwn } from './message-queries.ts'

/** A message on its way, or one that could not go. */
export interface PendingMessage {
  /** Its key: the server stores it once, however often it is sent. */
  clientId: string
  channelId: string
  /** Of a reply: its parent. */
  threadId: string | null
  content: string
  createdAt: string
  state: 'sending' | 'queued' | 'failed'
  /** That it waits or failed, and why, in a sentence. */
  reason?: string
}

/** The box it was written in, as drafts.ts names it: each sends for itself. */
export const boxOf = ({ channelId, threadId }: Pick<PendingMessage, 'channelId' | 'threadId'>) => threadId ?? channelId

const none: readonly PendingMessage[] = []
const SHORTEST = 1000
const LONGEST = 30_000

/** Nothing is sent unless its author is here. */
let open = false
let author: string | undefined
let pending: Record<string, readonly PendingMessage[]> = {}
const watchers = new Set<() => void>()
/** Boxes with a message on its way. Emptied, the outbox has a new one: nobody waits for what others left. */
let busy = new Set<string>()
/** Boxes whose next try waits, and how long they waited last. */
const waits = new Map<string, ReturnType<typeof setTimeout>>()
const delays = new Map<string, number>()

/** Whose outbox this is: what one person wrote is never sent as another's. Answers how to stop sending. */
export function openOutbox(userId: string) {
  if (author !== userId) emptyOutbox()
  author = userId
  open = true
  sendWaiting()
  return () => {
    open = false
    for (const box of Object.keys(pending)) endWait(box)
  }
}

export function emptyOutbox() {
  for (const box of Object.keys(pending)) endWait(box)
  pending = {}
  busy = new Set()
  dropDrafts()
  tell()
}

/** How many messages the server has not confirmed. */
export const countUnsent = () => Object.values(pending).flat().length

/** The messages of a box that the server has not confirmed yet, in the order they were written. */
export function usePending(box: string) {
  return useSyncExternalStore(watch, () => pendingIn(box))
}

export const pendingIn = (box: string) => pending[box] ?? none

/** Queues a message and sends it as soon as those before it in its box are through. */
export function enqueue(to: Pick<PendingMessage, 'channelId' | 'threadId'>, content: string) {
  const message: PendingMessage = {
    // uuid() falls back to getRandomValues, because randomUUID does not exist on plain http.
    clientId: `temp-${uuid()}`,
    ...to,
    content,
    createdAt: new Date().toISOString(),
    state: 'sending',
  }
  change(message, (list) => [...list, message])
  void drain(boxOf(message))
}

export function retry(message: PendingMessage) {
  update(message, { state: 'sending' })
  endWait(boxOf(message))
  void drain(boxOf(message))
}

/** Takes a message out for good. */
export function discard(message: PendingMessage) {
  change(message, (list) => list.filter(({ clientId }) => clientId !== message.clientId))
}

/** Takes a message back into the box, in front of what is there. */
export function editAgain(message: PendingMessage) {
  const box = boxOf(message)
  const { text } = draftOf(box)
  discard(message)
  setDraft(box, { text: text === '' ? message.content : `${message.content}\n${text}` })
}

/** The connection is back, or somebody thinks so: sends all that waits. */
export function sendWaiting() {
  for (const box of Object.keys(pending)) {
    endWait(box)
    void drain(box)
  }
}

/** One message at a time per box, so that they arrive in the order they were written. */
async function drain(box: string) {
  const mine = busy
  if (!open || mine.has(box) || waits.has(box)) return
  mine.add(box)
  try {
    for (;;) {
      const next = pendingIn(box).find((it) => it.state !== 'failed')
      if (!open || !next || !(await deliver(next))) return
    }
  } finally {
    mine.delete(box)
  }
}

/** Answers whether the next one may go. */
async function deliver(message: PendingMessage): Promise<boolean> {
  const mine = busy
  update(message, { state: 'sending' })
  try {
    const sent = await post(message)
    if (busy !== mine) return false
    addOwn(queryClient, sent)
    discard(message)
    endWait(boxOf(message))
    return true
  } catch (error) {
    if (busy !== mine) return false
    if (error instanceof ApiError && isRefusal(error)) {
      refused(message, error)
      return true
    }
    const answered = error instanceof ApiError
    const reason = answered ? 'Queued. The server is busy' : 'Queued. Waiting for the connection'
    update(message, { state: 'queued', reason })
    wait(boxOf(message), answered ? error.retryAfter : undefined)
    return false
  }
}

const post = ({ channelId, threadId, content, clientId }: PendingMessage) =>
  threadId === null
    ? call(sendMessage, { body: { channelId, content, clientId } })
    : call(sendReply, { body: { parentMessageId: threadId, content, clientId } })

/** A refusal will not change by asking again; anything else may. */
const isRefusal = ({ status }: ApiError) => status < 500 && ![401, 408, 429].includes(status)

/** The text is back in the box, or stays as a failed row where the box holds new text by now. */
function refused(message: PendingMessage, error: ApiError) {
  const box = boxOf(message)
  const failure = message.threadId === null ? 'Not sent' : 'Failed to create thread message'
  const reason = `${failure}: ${error.reason ?? error.message}`
  console.error(`${failure}:`, error)
  if (draftOf(box).text === '') {
    discard(message)
    setDraft(box, { text: message.content, refusal: reason })
  } else {
    update(message, { state: 'failed', reason })
  }
  if (!isBoxShown(box)) showToast(`${reason}. The text waits where it was written.`)
}

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

function endWait(box: string) {
  clearTimeout(waits.get(box))
  waits.delete(box)
  delays.delete(box)
}

function update(message: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason'>) {
  change(message, (list) =>
    list.map((it) => {
      if (it.clientId !== message.clientId) return it
      const { reason: _, ...rest } = it
      return { ...rest, ...to }
    }),
  )
}

function change(of: PendingMessage, by: (list: readonly PendingMessage[]) => readonly PendingMessage[]) {
  const box = boxOf(of)
  pending = { ...pending, [box]: by(pendingIn(box)) }
  tell()
}

function tell() {
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
