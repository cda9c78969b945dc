import type { ReactNode } from 'react'
import { useFileDrop } from '../../../ui/input/file-drop.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { focusComposer } from '../outbox/open-conversations.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { attach } from './attach.ts'
import { dropSign } from './lazy-parts.ts'

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
      {isOver && to && <Lazy load={dropSign} isOptional isThread={to.threadId !== null} />}
    </div>
  )
}
