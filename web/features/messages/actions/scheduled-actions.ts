import { v4 as uuid } from 'uuid'
import type { StoredFile } from '#contract/files'
import { joinTexts } from '#contract/quotes'
import {
  cancelScheduled,
  changeScheduled,
  type ScheduledMessage,
  scheduleMessage,
  sendScheduled,
} from '#contract/scheduled-messages'
import { contentOf } from '#contract/text'
import { call, isRefusal, queryClient } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { isAlsoToChannel, setAlsoToChannel } from '../outbox/also-to-channel.ts'
import { attachmentsIn, restoreAttachments, setAttachments } from '../outbox/attachments.ts'
import { currentDrafts } from '../outbox/current-drafts.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { myScheduled, refetchScheduled, withScheduled } from '../sync/scheduled-queries.ts'

const params = ({ id }: ScheduledMessage) => ({ scheduledId: id })

export const targetOf = ({ channelId, threadId, channelName }: ScheduledMessage): Target => ({
  channelId,
  threadId,
  of: channelName === null ? undefined : `#${channelName}`,
})

/** Shows what the server answered, before the event lets the list be fetched again. */
function show(item: ScheduledMessage) {
  queryClient.setQueryData(myScheduled.queryKey, (items) => items && withScheduled(items, item))
  return item
}

const hide = ({ id }: ScheduledMessage) =>
  queryClient.setQueryData(myScheduled.queryKey, (items) => items?.filter((it) => it.id !== id))

/** It may have been changed since a toast was shown. */
const current = (item: ScheduledMessage) =>
  queryClient.getQueryData(myScheduled.queryKey)?.find(({ id }) => id === item.id) ?? item

/** If no answer came, the list tells what happened. @throws what `request` threw if it had no effect, or nobody knows */
async function orFind<T>(request: Promise<T>, find: (items: readonly ScheduledMessage[]) => T | undefined): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (isRefusal(error)) throw error
    const items = await fetchList().catch(() => {
      throw error
    })
    const found = find(items)
    if (found === undefined) throw error
    return found
  }
}

const fetchList = () => queryClient.fetchQuery({ ...myScheduled, staleTime: 0, retry: false })

interface Composed extends Target {
  content: string
  files: readonly StoredFile[]
  clientId: string
  alsoToChannel?: boolean | undefined
  sendAt: string
}

async function schedule({ channelId, threadId, content, files, clientId, alsoToChannel, sendAt }: Composed) {
  const fileIds = files.map(({ id }) => id)
  const place = { channelId, ...(threadId && { threadId, alsoToChannel }) }
  const body = { ...place, content, clientId, sendAt, ...(fileIds.length > 0 && { fileIds }) }
  const item = await orFind(call(scheduleMessage, { body }), (items) => items.find((it) => it.clientId === clientId))
  // The answer to an earlier attempt was lost, which had another time.
  const isOther = item.failure || Date.parse(item.sendAt) !== Date.parse(sendAt)
  return show(isOther ? await call(changeScheduled, { params: params(item), body: { sendAt } }) : item)
}

/** The key of the last attempt to schedule a text, in case its answer was lost and it is scheduled again. */
let lastAttempt: { what: string; clientId: string } | undefined

/** Schedules the message in a composer, which is then empty. @throws ApiError */
export async function scheduleComposed({ sendAt, ...message }: Omit<Composed, 'files' | 'clientId'>) {
  const { content } = message
  const conversation = conversationKey(message)
  const what = JSON.stringify([conversation, content, message.alsoToChannel])
  if (lastAttempt?.what !== what) lastAttempt = { what, clientId: uuid() }
  const { clientId } = lastAttempt
  const files = attachmentsIn(conversation).flatMap(({ stored }) => stored ?? [])
  const item = await schedule({ ...message, files, clientId, sendAt })
  lastAttempt = undefined
  setAlsoToChannel(conversation, false)
  if (contentOf(currentDrafts().get(conversation).text) === content) currentDrafts().end(conversation)
  const isScheduled = (id: string | undefined) => files.some((file) => file.id === id)
  const left = attachmentsIn(conversation).filter(({ stored }) => !isScheduled(stored?.id))
  setAttachments(conversation, left)
  showToast(t('scheduled.done', { time: dueTime(item.sendAt) }), {
    action: { name: t('ui.undo'), act: () => void backToComposer(item) },
  })
}

/** Runs one request at a time per message. A failure is shown. Returns whether it succeeded. */
async function once(item: ScheduledMessage, failure: string, act: () => Promise<unknown>): Promise<boolean> {
  if (running.has(item.id)) return false
  running.add(item.id)
  try {
    await act()
    return true
  } catch (error) {
    showToast(logFailure(failure, error))
    void refetchScheduled(queryClient)
    return false
  } finally {
    running.delete(item.id)
  }
}
const running = new Set<string>()

/** For `orFind`: an item that is gone from the list was sent or cancelled. */
const ifGone = (item: ScheduledMessage) => (items: readonly ScheduledMessage[]) =>
  items.some(({ id }) => id === item.id) ? undefined : item

export const sendNow = (item: ScheduledMessage) =>
  once(item, t('scheduled.sendFailed'), async () => {
    await orFind<unknown>(call(sendScheduled, { params: params(item) }), ifGone(item))
    hide(item)
    showToast(t('scheduled.sent'))
  })

/** @throws ApiError */
export async function reschedule(item: ScheduledMessage, sendAt: string) {
  show(await call(changeScheduled, { params: params(item), body: { sendAt } }))
  showToast(t('scheduled.done', { time: dueTime(sendAt) }))
}

/** @param item as it was when the edit began @throws ApiError, also `edit_conflict` if its text was changed elsewhere */
export async function editScheduled(item: ScheduledMessage, content: string) {
  show(await call(changeScheduled, { params: params(item), body: { content, before: item.content } }))
}

async function cancelNow(item: ScheduledMessage) {
  await orFind<unknown>(call(cancelScheduled, { params: params(item) }), ifGone(item))
  hide(item)
}

/** False if the list can't be fetched. */
const isListed = ({ id }: ScheduledMessage) =>
  fetchList().then(
    (items) => items.some((item) => item.id === id),
    () => false,
  )

/** Moves a message back into its composer, in front of the draft there. */
export const backToComposer = (given: ScheduledMessage) =>
  once(given, t('scheduled.changeFailed'), async () => {
    const item = current(given)
    // Saved before the message is cancelled, so that a crash cannot lose it.
    const undo = addToDraft(item)
    try {
      await cancelNow(item)
    } catch (error) {
      // Without an answer it may be cancelled: the text stays in both places.
      if (isRefusal(error) || (await isListed(item))) undo()
      throw error
    }
    restoreAttachments(conversationKey(item), item.files)
  })

/** Adds the text of a message to its conversation's draft, unless it is there. Returns a function that undoes it. */
export function addToDraft(item: ScheduledMessage) {
  const conversation = conversationKey(item)
  const before = currentDrafts().get(conversation)
  const wasAlso = isAlsoToChannel(conversation)
  if (item.alsoToChannel) setAlsoToChannel(conversation, true)
  if (`${before.text}\n`.startsWith(`${item.content}\n`)) return () => setAlsoToChannel(conversation, wasAlso)
  const text = joinTexts(item.content, before.text)
  currentDrafts().set(conversation, { text, to: targetOf(item) })
  currentDrafts().save()
  return () => {
    setAlsoToChannel(conversation, wasAlso)
    if (currentDrafts().get(conversation).text === text) currentDrafts().set(conversation, before)
  }
}

/** What was about to be sent is scheduled for in a moment. */
const SOON_MS = 5000

/** Cancels a message. The toast offers to undo that. */
export const cancel = (given: ScheduledMessage) =>
  once(given, t('scheduled.changeFailed'), async () => {
    const item = current(given)
    await cancelNow(item)
    showToast(t('scheduled.cancelled'), { action: { name: t('ui.undo'), act: () => void restore(item) } })
  })

/** Schedules a cancelled message again; if it is refused, as it was before, its text returns as a draft. */
async function restore(item: ScheduledMessage) {
  const sendAt = new Date(Math.max(Date.parse(item.sendAt), serverNow() + SOON_MS)).toISOString()
  try {
    if (item.failure) throw new Error('It could not be sent')
    await schedule({ ...item, clientId: uuid(), sendAt })
  } catch (error) {
    if (!item.failure) console.error('Failed to schedule a message again:', error)
    addToDraft(item)
    restoreAttachments(conversationKey(item), item.files)
    showToast(t('scheduled.inDrafts'))
  }
}
