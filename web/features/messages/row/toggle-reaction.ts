import type { Message } from '#contract/messages'
import { addReaction, listReactions, removeReaction } from '#contract/reactions'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { noteArrival, reactionKey } from '../../../ui/arrivals.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { isMine, keyOf, type OptimisticReaction, optimistic } from './optimistic-reactions.ts'

/** How long after the response the event may arrive. */
const EVENT_GRACE_MS = 1000

const sending = new Set<string>()

/** Adds or removes my reaction; shows it at once, and reverts it if the server refuses. */
export async function toggleReaction(message: Message, emoji: string, me: string) {
  const key = keyOf(message, me)
  const mine = () => isMine(message, emoji, optimistic.get(key)?.[emoji], me)
  let wasMine = mine()
  if (wasMine === undefined) {
    try {
      // If I reacted, the response lists me first.
      const listed = await call(listReactions, { params: { messageId: message.id } })
      wasMine = mine() ?? listed[emoji]?.[0]?.id === me
    } catch (error) {
      showToast(logFailure(t('messages.failed.loadReactions'), error))
      return
    }
  }
  noteArrival(reactionKey(message.id, emoji))
  setOptimistic(key, emoji, { isMine: !wasMine, rev: message.rev, isConfirmed: false })
  await sendUntilConfirmed(key, emoji, message.id, me)
}

/** Sends one request at a time until the server has my latest choice. */
async function sendUntilConfirmed(key: string, emoji: string, messageId: string, me: string) {
  const id = `${key} ${emoji}`
  if (sending.has(id)) return
  sending.add(id)
  while (sessionUserId() === me) {
    const sent = optimistic.get(key)?.[emoji]
    if (!sent) break
    const problem = await sendReaction(messageId, emoji, sent.isMine)
    const now = optimistic.get(key)?.[emoji]
    if (now?.isMine !== sent.isMine) continue
    if (problem) {
      setOptimistic(key, emoji)
      showToast(problem)
    } else {
      const confirm = () =>
        optimistic.get(key)?.[emoji] === now && setOptimistic(key, emoji, { ...now, isConfirmed: true })
      setTimeout(confirm, EVENT_GRACE_MS)
    }
    break
  }
  sending.delete(id)
}

/** Returns an error text if it failed. */
async function sendReaction(messageId: string, emoji: string, isMine: boolean): Promise<string | undefined> {
  try {
    if (isMine) await call(addReaction, { params: { messageId }, body: { emoji } })
    else await call(removeReaction, { params: { messageId, emoji } })
    return undefined
  } catch (error) {
    return logFailure(isMine ? t('messages.failed.addReaction') : t('messages.failed.removeReaction'), error)
  }
}

function setOptimistic(key: string, emoji: string, to?: OptimisticReaction) {
  const { [emoji]: _, ...rest } = optimistic.get(key) ?? ({} as Record<string, OptimisticReaction>)
  optimistic.set(key, to ? { ...rest, [emoji]: to } : rest)
}
