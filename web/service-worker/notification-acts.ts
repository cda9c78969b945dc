// The buttons of notifications: reply, and mark as read.
import { countNotifications, readChannel, readThread } from '#contract/read-cursors'
import { setAppBadge } from '../browser/app-badge.ts'
import { newMessageKey } from '../features/messages/outbox/message-key.ts'
import { conversationKey, type PendingMessage } from '../features/messages/outbox/pending-message.ts'
import { isOfKeptReply, keptTag, lostTag } from '../ui/device/push-messages.ts'
import { pushOwner } from '../ui/device/push-owner.ts'
import { storeShare } from '../ui/device/shares.ts'
import { callsOf, isPassing } from './calls.ts'
import { isPageAwake, openNotification } from './push.ts'
import { type ActionableData, actionableOf, buttonsOf, LOOKS, pathOf, replyPathOf } from './push-content.ts'
import { removeReply, sendFrom, sendNow, storeReply } from './reply-outbox.ts'

declare const self: ServiceWorkerGlobalScope

/** In browsers that let people write in notifications. */
interface RepliedEvent {
  reply?: string | null
}

/** The event with which browsers tell the worker to send what was kept. */
export const SEND_REPLIES = 'parley replies'

export async function actOn(event: NotificationEvent) {
  const { action, notification } = event
  const data = actionableOf(notification)
  if (action === 'read' && data) return markRead(notification, data)
  if (action === 'reply' && data) {
    const text = (event as RepliedEvent).reply?.trim()
    return text ? reply(notification, data, text) : openNotification(notification, replyPathOf(data))
  }
  return openNotification(notification, pathOf(notification))
}

type Written = Omit<PendingMessage, 'createdAt'>

async function reply(notification: Notification, data: ActionableData, text: string) {
  const { to, message, texts } = data
  const written: Written = {
    clientId: newMessageKey(new Date().toISOString()),
    channelId: message.channelId,
    threadId: message.replyTo ?? null,
    content: text,
    state: 'sending',
  }
  const result = await deliver(to, written)
  notification.close()
  if (result === 'sent') {
    if (await tellRead(data)) await finishRead(data)
  } else if (result === 'lost') {
    // The text becomes a draft in Parley, in a conversation that its author chooses.
    const path = await storeShare({ text, files: [] }).then(
      (id) => `/share?id=${id}`,
      () => replyPathOf(data),
    )
    await show(notification, to, texts.replyFailed, { body: text, tag: lostTag(written.clientId), data: { to, path } })
  } else if (!(await isPageAwake())) {
    const title = result === 'refused' ? texts.replyFailed : texts.replyKept
    const kept = { body: text, tag: keptTag(written.clientId), data: { to, path: replyPathOf(data) } }
    await show(notification, to, title, kept)
  }
}

/**
 * Sends a reply now, or keeps it in the outbox: until there is a network, or because the server refuses it, so that a page shows it
 * with the reason. `lost` if neither is possible.
 */
async function deliver(person: string, written: Written): Promise<'sent' | 'kept' | 'refused' | 'lost'> {
  try {
    await storeReply(person, written)
    if (!(await isOwner(person))) {
      await removeReply(person, written.clientId)
      return 'lost'
    }
  } catch (error) {
    console.warn('Failed to store a reply:', error)
    return sendUnstored(person, written)
  }
  // First, because the browser may stop this worker at any time. Browsers without it send it when Parley is opened.
  await self.registration.sync?.register(SEND_REPLIES).catch((error) => console.warn('No background sync:', error))
  const { isCut, refused } = await sendFrom(person, conversationKey(written))
  if (refused.has(written.clientId)) return 'refused'
  return isCut ? 'kept' : 'sent'
}

async function sendUnstored(person: string, written: Written) {
  try {
    const { ok } = await sendNow(await callsOf(person), written)
    return ok ? 'sent' : 'lost'
  } catch (error) {
    console.warn('Failed to send a reply:', error)
    return 'lost'
  }
}

async function markRead(notification: Notification, data: ActionableData) {
  if (await tellRead(data)) {
    notification.close()
    return finishRead(data)
  }
  const { title, body, tag } = notification
  const { readFailed } = data.texts
  const said = body.endsWith(readFailed) ? body : `${body}\n${readFailed}`
  return show(notification, data.to, title, { body: said, tag, data, actions: buttonsOf(data), silent: true })
}

/** Tells the server that a message was read. Returns whether it knows. */
async function tellRead({ to, message: { channelId, threadId, seq } }: ActionableData): Promise<boolean> {
  try {
    const call = await callsOf(to)
    const response = await (threadId === null
      ? call(readChannel, { params: { channelId }, body: { seq } })
      : call(readThread, { params: { threadId }, body: { seq } }))
    // If the server refuses it, there is nothing left to read.
    return !isPassing(response)
  } catch (error) {
    console.warn('Failed to mark a message as read:', error)
    return false
  }
}

/** Closes the notifications of what was read, and lowers the badge. */
async function finishRead({ to, message: { channelId, threadId, seq } }: ActionableData) {
  for (const shown of await self.registration.getNotifications()) {
    const other = isOfKeptReply(shown.tag) ? undefined : actionableOf(shown)?.message
    if (other && other.channelId === channelId && other.threadId === threadId && other.seq <= seq) shown.close()
  }
  // An awake page counts by itself.
  if (await isPageAwake()) return
  try {
    const counted = await (await callsOf(to))(countNotifications, {})
    if (counted.ok) setAppBadge((await counted.json()).notifications)
  } catch (error) {
    console.warn('Failed to count notifications:', error)
  }
}

/** Shows a notification in place of another one, unless its person has left meanwhile. */
async function show(
  { lang, dir }: Notification,
  person: string,
  title: string,
  options: NotificationOptions & { actions?: readonly object[] },
) {
  if (await isOwner(person)) await self.registration.showNotification(title, { ...LOOKS, lang, dir, ...options })
}

async function isOwner(person: string) {
  try {
    return (await pushOwner()) === person
  } catch (error) {
    console.warn('Failed to find out whose notification it is:', error)
    return false
  }
}
