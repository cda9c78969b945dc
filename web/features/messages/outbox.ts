import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { sendMessage } from '#contract/messages'
import { ApiError, call, queryClient } from '../../api.ts'
import { draftOf, dropDrafts, setDraft } from './drafts.ts'
import { addOwn } from './message-queries.ts'

/** A message on its way, or one that could not go. */
export interface PendingMessage {
  /** Its key: the server stores it once, however often it is sent. */
  clientId: string
  channelId: string
  content: string
  createdAt: string
  state: 'sending' | 'queued' | 'failed'
  /** Why it waits or failed, in a sentence. */
  reason?: string
}

const none: readonly PendingMessage[] = []
const SHORTEST = 1000
const LONGEST = 30_000

/** Nothing is sent unless its author is here. */
let open = false
let author: string | undefined
let pending: Record<string, readonly PendingMessage[]> = {}
const watchers = new Set<() => void>()
const busy = new Set<string>()
/** Channels whose next try waits, and how long they waited last. */
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
    for (const channelId of Object.keys(pending)) endWait(channelId)
  }
}

export function emptyOutbox() {
  for (const channelId of Object.keys(pending)) endWait(channelId)
  pending = {}
  dropDrafts()
  tell()
}

/** How many messages the server has not confirmed. */
export const countUnsent = () => Object.values(pending).flat().length

/** The messages of a channel that the server has not confirmed yet, in the order they were written. */
export function usePending(channelId: string) {
  return useSyncExternalStore(watch, () => pending[channelId] ?? none)
}

/** Queues a message and sends it as soon as those before it in its channel are through. */
export function enqueue(channelId: string, content: string) {
  const message: PendingMessage = {
    // uuid() falls back to getRandomValues, because randomUUID does not exist on plain http.
    clientId: `temp-${uuid()}`,
    channelId,
    content,
    createdAt: new Date().toISOString(),
    state: 'sending',
  }
  change(channelId, (list) => [...list, message])
  void drain(channelId)
}

export function retry(message: PendingMessage) {
  update(message, { state: 'sending' })
  endWait(message.channelId)
  void drain(message.channelId)
}

/** Takes a message out for good. */
export function discard({ channelId, clientId }: PendingMessage) {
  change(channelId, (list) => list.filter((it) => it.clientId !== clientId))
}

/** Takes a message back into the box, in front of what is there. */
export function editAgain(message: PendingMessage) {
  const { text } = draftOf(message.channelId)
  discard(message)
  setDraft(message.channelId, { text: text === '' ? message.content : `${message.content}\n${text}` })
}

/** The connection is back, or somebody thinks so: sends all that waits. */
export function sendWaiting() {
  for (const channelId of Object.keys(pending)) {
    endWait(channelId)
    void drain(channelId)
  }
}

/** One message at a time per channel, so that they arrive in the order they were written. */
async function drain(channelId: string) {
  if (!open || busy.has(channelId) || waits.has(channelId)) return
  busy.add(channelId)
  try {
    for (;;) {
      const next = pending[channelId]?.find((it) => it.state !== 'failed')
      if (!open || !next || !(await deliver(next))) return
    }
  } finally {
    busy.delete(channelId)
  }
}

/** Answers whether the next one may go. */
async function deliver(message: PendingMessage): Promise<boolean> {
  const { channelId, content, clientId } = message
  const sender = author
  update(message, { state: 'sending' })
  try {
    const sent = await call(sendMessage, { body: { channelId, content, clientId } })
    if (author !== sender) return false
    addOwn(queryClient, sent)
    discard(message)
    endWait(channelId)
    return true
  } catch (error) {
    if (author !== sender) return false
    if (error instanceof ApiError && isRefusal(error)) {
      refused(message, error.reason ?? error.message)
      return true
    }
    const answered = error instanceof ApiError
    update(message, { state: 'queued', reason: answered ? 'The server is busy' : 'Waiting for the connection' })
    wait(channelId, answered ? error.retryAfter : undefined)
    return false
  }
}

/** A refusal will not change by asking again; anything else may. */
const isRefusal = ({ status }: ApiError) => status < 500 && ![401, 408, 429].includes(status)

/** The text is back in the box, or stays as a failed row where the box holds new text by now. */
function refused(message: PendingMessage, reason: string) {
  if (draftOf(message.channelId).text === '') {
    discard(message)
    setDraft(message.channelId, { text: message.content, refusal: reason })
  } else {
    update(message, { state: 'failed', reason })
  }
}

function wait(channelId: string, asked: number | undefined) {
  const delay = Math.min((delays.get(channelId) ?? SHORTEST / 2) * 2, LONGEST)
  clearTimeout(waits.get(channelId))
  delays.set(channelId, delay)
  const again = () => {
    waits.delete(channelId)
    void drain(channelId)
  }
  waits.set(channelId, setTimeout(again, asked ?? delay))
}

function endWait(channelId: string) {
  clearTimeout(waits.get(channelId))
  waits.delete(channelId)
  delays.delete(channelId)
}

function update({ channelId, clientId }: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason'>) {
  change(channelId, (list) =>
    list.map((it) => {
      if (it.clientId !== clientId) return it
      const { reason: _, ...rest } = it
      return { ...rest, ...to }
    }),
  )
}

function change(channelId: string, by: (list: readonly PendingMessage[]) => readonly PendingMessage[]) {
  pending = { ...pending, [channelId]: by(pending[channelId] ?? none) }
  tell()
}

function tell() {
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
