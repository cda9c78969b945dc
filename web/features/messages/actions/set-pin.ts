import type { Message } from '#contract/messages'
import { pinMessage, unpinMessage } from '#contract/pins'
import { call, queryClient } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { applyPin } from '../sync/pin-queries.ts'
import { inTurn } from './in-turn.ts'

/** Pins or unpins a message for everyone in its channel, one request at a time. The toast offers to undo it. */
export const setPin = (message: Pick<Message, 'id'>, isPinned: boolean) =>
  inTurn(`pin ${message.id}`, isPinned ? 'pin' : 'unpin', () => sendPin(message, isPinned))

async function sendPin({ id }: Pick<Message, 'id'>, isPinned: boolean) {
  try {
    const message = await call(isPinned ? pinMessage : unpinMessage, { params: { messageId: id } })
    insertSent(queryClient, message)
    applyPin(queryClient, message)
    showToast(isPinned ? t('messages.pins.pinned') : t('messages.pins.unpinned'), {
      action: { name: t('ui.undo'), act: () => void setPin({ id }, !isPinned) },
    })
  } catch (error) {
    showToast(logFailure(isPinned ? t('messages.failed.pin') : t('messages.failed.unpin'), error))
  }
}
