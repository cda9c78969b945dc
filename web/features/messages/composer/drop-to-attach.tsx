import { Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/text.ts'
import { useFileDrop } from '../../../ui/input/file-drop.ts'
import { focusComposer } from '../outbox/open-conversations.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { attach } from './attach.ts'

interface Props {
  /** Undefined if I cannot write here: dropped files are ignored. */
  to: Target | undefined
  children: ReactNode
}

/** Attaches files dropped anywhere on a conversation. */
export function DropToAttach({ to, children }: Props) {
  const { isOver, target } = useFileDrop((files) => {
    if (!to) return
    attach(to, files)
    focusComposer(conversationKey(to))
  })
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...target}>
      {children}
      {isOver && to && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-pine border-dashed bg-paper/90">
          <p className="flex items-center gap-2 font-[620] text-body text-pine">
            <Paperclip size={20} />
            {to.threadId ? t('messages.composer.dropReply') : t('messages.composer.dropMessage')}
          </p>
        </div>
      )}
    </div>
  )
}
