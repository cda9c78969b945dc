import { Square } from 'lucide-react'
import { useState } from 'react'
import { stopAnswer } from '#contract/assistant'
import { can } from '#contract/can'
import type { Message } from '#contract/messages'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { useConversation } from '../actions/conversation-context.tsx'
import { MessageText } from '../content/message-text.tsx'
import { TypingDots } from '../content/typing-dots.tsx'
import { useAnswerProgress } from '../sync/answer-progress.ts'
import { ChipButton } from './chip-button.tsx'

/** An answer while the assistant writes it, with a button to stop it. Lazy-loaded. */
export default function StreamingAnswer({ message }: { message: Message }) {
  const me = useMe()
  const { ownerId } = useConversation()
  const progress = useAnswerProgress(message)
  return (
    <div className="relative z-1">
      {progress?.content ? <MessageText content={progress.content} /> : <Thinking />}
      {progress && can.stopAnswer(me, progress.askedBy, { ownerId }) && <StopButton messageId={message.id} />}
    </div>
  )
}

const Thinking = () => (
  <p className="flex items-center gap-2 text-faint">
    <TypingDots />
    {t('messages.row.thinking')}
  </p>
)

function StopButton({ messageId }: { messageId: string }) {
  const [isStopping, setStopping] = useState(false)
  async function stop() {
    setStopping(true)
    try {
      await call(stopAnswer, { body: { messageId } })
    } catch (error) {
      setStopping(false)
      showToast(logFailure(t('messages.failed.stopAnswer'), error))
    }
  }
  return (
    <ChipButton aria-disabled={isStopping} onClick={() => !isStopping && void stop()}>
      <Square size={15} className="scale-70 fill-current" />
      {t('messages.row.stopAnswer')}
    </ChipButton>
  )
}
