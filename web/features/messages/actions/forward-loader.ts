import { type ComponentType, createContext } from 'react'
import type { Message } from '#contract/messages'

export interface ForwardDialogProps {
  message: Message
  onClose: () => void
}

/** Loads the dialog that forwards a message. Pages provide it, because it lists conversations and people. */
export const ForwardLoader = createContext<(() => Promise<{ default: ComponentType<ForwardDialogProps> }>) | undefined>(
  undefined,
)
