import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { Composer } from '../composer/composer.tsx'
import { useAttachments } from '../outbox/attachments.ts'
import { useDraft } from '../outbox/current-drafts.ts'
import { focusComposer } from '../outbox/open-conversations.ts'

interface Props {
  channel: Channel
  threadId: string
  /** Whether I can no longer write here. Unsent text stays. */
  isEnded: boolean
}

/** One line that opens a thread's composer, or the composer itself if it has content. */
export function ReplyField({ channel, threadId, isEnded }: Props) {
  const { text, refusal } = useDraft(threadId)
  const attachments = useAttachments(threadId)
  const isWritten = text !== '' || refusal !== undefined || attachments.length > 0
  const [isOpen, setOpen] = useState(isWritten)
  if (isWritten && !isOpen) setOpen(true)

  function open() {
    // A phone shows its keyboard only if the focus moves within the tap.
    flushSync(() => setOpen(true))
    focusComposer(threadId)
  }

  if (isOpen)
    return (
      // The composer has gutters of its own.
      <div className="-mx-(--gutter) wide:ms-7">
        <Composer channel={channel} threadId={threadId} canTakeFocus={false} isEnded={isEnded} />
      </div>
    )
  if (isEnded) return null
  return (
    <button
      type="button"
      onClick={open}
      className="mt-1.5 mb-2 flex h-9 w-full items-center rounded-m border border-line-strong bg-raised ps-3 text-faint text-ui transition-colors wide:ms-12 wide:w-[calc(100%-3rem)] hover:border-soft pointer-coarse:h-11"
    >
      {t('messages.composer.replyPlaceholder')}
    </button>
  )
}
