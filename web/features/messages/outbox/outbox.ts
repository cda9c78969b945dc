import { useSyncExternalStore } from 'react'
import type { StoredFile } from '#contract/files'
import { readPreference } from '../../../browser/preferences.ts'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { noteArrival } from '../../../ui/arrivals.ts'
import { startRetrying } from '../../../ui/feedback/use-retry.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { createWatchers } from '../../../ui/watchers.ts'
import { dropAttachments, openAttachments } from './attachments.ts'
import { currentDrafts, dropDrafts, openDrafts } from './current-drafts.ts'
import { HOLD_MS, TAKEOVER_DELAY_MS, waitOf } from './hold.ts'
import { newMessageKey } from './message-key.ts'
import { isDatabaseAvailable } from './outbox-db.ts'
import type { PendingMessage, Target } from './pending-message.ts'
import { PendingMessages } from './pending-messages.ts'
import { SendQueue } from './send-queue.ts'

// Messages that the server has not confirmed: pending-messages.ts shows them, outbox-db.ts stores them on this device,
// send-queue.ts sends them, and tab-lock.ts lets only one tab do so at a time.

const none: readonly PendingMessage[] = []
const { watch, notify } = createWatchers()
export const watchPending = watch

/** The outbox of one user: their messages are never sent as another's. */
function createOutbox(userId: string) {
  let takeover: ReturnType<typeof setTimeout> | undefined
  const pending = new PendingMessages(userId, { onChange: notify, onOtherTab })
  const queue = new SendQueue(userId, pending)

  /** Another tab has written or sent something. It sends its own messages, unless it is closed first. */
  function onOtherTab() {
    clearTimeout(takeover)
    takeover = setTimeout(() => queue.sendOrphaned(), TAKEOVER_DELAY_MS)
  }

  function start() {
    queue.start()
    globalThis.addEventListener?.('pagehide', pending.persistUnsaved)
  }

  function stop() {
    globalThis.removeEventListener?.('pagehide', pending.persistUnsaved)
    clearTimeout(takeover)
    queue.stop()
  }

  /** Closes it for good. The messages stay on the device until the user returns. */
  function close() {
    stop()
    queue.close()
    pending.close()
  }

  /** Closes it and deletes the messages from this device. Resolves when they are gone. */
  function destroy() {
    close()
    return pending.deleteAll()
  }

  /** Shows a message at once and, unless it has failed before, sends it as soon as it is stored on this device. */
  function add(message: PendingMessage) {
    queue.own.add(message.clientId)
    queue.releaseInTime(message)
    void pending.add(message).then(() => message.state === 'failed' || queue.sendOwn(message))
  }

  const isOwn = ({ clientId }: PendingMessage) => queue.own.has(clientId)
  const release = (messages: readonly PendingMessage[]) => queue.release(messages)
  const retry = (message: PendingMessage) => queue.retry(message)
  const sendWaiting = () => queue.sendWaiting()
  return { userId, pending, start, stop, close, destroy, add, isOwn, release, retry, sendWaiting }
}

/** The signed-in user's outbox. */
let current: ReturnType<typeof createOutbox> | undefined
export const currentOutbox = () => current

/** Opens a user's outbox. Returns a function that stops sending. */
export function openOutbox(userId: string) {
  openDrafts(userId)
  openAttachments(userId)
  if (current?.userId !== userId) {
    current?.close()
    current = createOutbox(userId)
    notify()
  }
  const outbox = current
  outbox.start()
  return () => {
    currentDrafts().save()
    outbox.stop()
  }
}

/**
 * Shows and sends the messages that earlier pages stored on this device. Retries until they can be read, because
 * reading needs lazy-loaded code. Returns a function that stops it.
 */
export function readOutbox() {
  const read = async () => {
    if (await readPending()) stop()
    sendWaiting()
  }
  const stop = startRetrying(read)
  void read()
  return stop
}

/** Updates the pending messages from the database. Resolves to false if that failed but may succeed later. */
export const readPending = async () => (await current?.pending.read()) ?? true

export const sendWaiting = () => current?.sendWaiting()

/** Deletes the user's messages, drafts and attachments from this device. Resolves when they are gone. */
export async function emptyOutbox(): Promise<void> {
  const deleted = current?.destroy()
  current = undefined
  notify()
  dropDrafts()
  dropAttachments()
  await deleted
}

onSignOut({ forget: emptyOutbox })

/** Shows a new message at once, and sends it as soon as it is stored on this device and can no longer be taken back. */
export function enqueue(to: Target, content: string, files: readonly StoredFile[] = [], alsoToChannel = false) {
  const createdAt = afterAll()
  const clientId = newMessageKey(createdAt)
  noteArrival(clientId)
  current?.add({
    clientId,
    ...to,
    content,
    ...(alsoToChannel && { alsoToChannel }),
    ...(files.length > 0 && { files }),
    createdAt,
    state: 'sending',
    // Without a database, a new tab takes over what is unsent, and could send what was taken back here.
    ...(readPreference('undoSend') === 'on' && isDatabaseAvailable() && { heldUntil: Date.now() + HOLD_MS }),
  })
}

/** Now, or just after the latest message, in case the clock was set back or is too coarse. */
function afterAll() {
  const times = allPending().map(({ createdAt }) => Date.parse(createdAt) + 1)
  return new Date(Math.max(serverNow(), ...times)).toISOString()
}

/** A conversation's pending messages, in the order in which they were written. */
export const usePending = (conversation: string) => useSyncExternalStore(watchPending, () => pendingIn(conversation))

export const pendingIn = (conversation: string) => current?.pending.in(conversation) ?? none

export const allPending = () => current?.pending.all() ?? []

/** Whether a message was written in this tab and can be taken back: from then on, another tab may send it. */
export const isHeld = (message: PendingMessage) =>
  waitOf(message, Date.now(), true) > 0 && (current?.isOwn(message) ?? false)

/** The message of a conversation that was written last and can be taken back. */
export const lastHeld = (conversation: string) => pendingIn(conversation).findLast(isHeld)

/** Whether a message survives closing the page. */
export const isPersisted = (message: PendingMessage) => current?.pending.isPersisted(message) ?? true
