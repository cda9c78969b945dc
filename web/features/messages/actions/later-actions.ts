import { addLater, changeLater, type LaterItem, removeLater } from '#contract/later'
import type { Message } from '#contract/messages'
import { call, queryClient } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { applyLater, applyLaterRemoved, hideItem, refetchLater, savedItem } from '../sync/later-queries.ts'
import { inTurn } from './in-turn.ts'

/** What a reminder is about: a message, or a text of mine. */
export type ReminderOf = { messageId: string } | { text: string }

/** Runs one request at a time per message or item. A failure is shown, and what was hidden returns. */
const once = (key: string, kind: 'save' | 'remove' | 'add' | 'done' | 'open', act: () => Promise<unknown>) =>
  inTurn(`later ${key}`, kind, async () => {
    try {
      await act()
    } catch (error) {
      showToast(logFailure(t('later.failed'), error))
      refetchLater(queryClient)
    }
  })

/** The same for a message and what it was saved as. */
const keyOf = ({ id, messageId }: LaterItem) => messageId ?? id

/** Saves a message for later. The toast offers to undo it. */
export const saveMessage = ({ id: messageId }: Pick<Message, 'id'>) =>
  once(messageId, 'save', async () => {
    const item = await call(addLater, { body: { messageId } })
    applyLater(queryClient, item)
    // It may have been done, and is open again.
    const undo = () => (item.rev === 1 ? removeItem(item, false) : setDone(item, true, false))
    showToast(t('later.isSaved'), { action: { name: t('ui.undo'), act: () => void undo() } })
  })

/** Removes a message from what I saved. */
export function unsaveMessage({ id }: Pick<Message, 'id'>) {
  const item = savedItem(id)
  return item && removeItem(item)
}

/** Removes an item. The toast offers to add it again, unless its message is gone for me. */
export function removeItem(item: LaterItem, canUndo = true) {
  hideItem(queryClient, item)
  return once(keyOf(item), 'remove', async () => {
    await call(removeLater, { params: { itemId: item.id } })
    applyLaterRemoved(queryClient, item)
    const undo = { name: t('ui.undo'), act: () => void addAgain(item) }
    showToast(t('later.removed'), canUndo ? { action: undo } : {})
  })
}

/** A reminder that was due is due again in a moment. */
const SOON_MS = 2000

const addAgain = (item: LaterItem) =>
  once(keyOf(item), 'add', async () => {
    const { messageId, text, dueAt, doneAt } = item
    const due = dueAt !== null && new Date(Math.max(Date.parse(dueAt), serverNow() + SOON_MS)).toISOString()
    const of = messageId === null ? { text: text ?? '' } : { messageId }
    const added = await call(addLater, { body: { ...of, ...(due && doneAt === null && { dueAt: due }) } })
    const isDone = doneAt !== null
    applyLater(queryClient, isDone ? await call(changeLater, itemChange(added, { isDone })) : added)
  })

const itemChange = <Change>({ id }: LaterItem, body: Change) => ({ params: { itemId: id }, body })

/** Marks an item as done, or as open again. The toast offers to undo it. */
export function setDone(item: LaterItem, isDone: boolean, canUndo = true): Promise<void> {
  hideItem(queryClient, item)
  return once(keyOf(item), isDone ? 'done' : 'open', async () => {
    const changed = await call(changeLater, itemChange(item, { isDone }))
    applyLater(queryClient, changed)
    if (!canUndo) return
    showToast(isDone ? t('later.isDone') : t('later.isOpen'), {
      action: { name: t('ui.undo'), act: () => void setDone(changed, !isDone, false) },
    })
  })
}

/** Adds a reminder of a message or a text. @throws ApiError */
export async function addReminder(of: ReminderOf, dueAt: string) {
  applyLater(queryClient, await call(addLater, { body: { ...of, dueAt } }))
  showToast(t('later.setTo', { time: dueTime(dueAt) }))
}

/** Changes the text of an item and the time of its reminder; null removes the reminder. @throws ApiError */
export async function changeReminder(item: LaterItem, change: { dueAt?: string | null; text?: string }) {
  applyLater(queryClient, await call(changeLater, itemChange(item, change)))
  if (change.dueAt) showToast(t('later.setTo', { time: dueTime(change.dueAt) }))
}
