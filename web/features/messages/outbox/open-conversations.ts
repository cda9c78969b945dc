import { createWatchers } from '../../../ui/watchers.ts'

/** What a conversation on screen can do; its composer and its list register separately. */
interface Handlers {
  focusComposer?: () => void
  /** Scrolls the list until the row of a message is rendered and in view. */
  revealMessage?: (messageId: string) => void
}

const open = new Map<string, Handlers>()
const composers = createWatchers()

/** Returns a function that removes the handlers again. */
export function registerConversation(conversation: string, handlers: Handlers) {
  open.set(conversation, { ...open.get(conversation), ...handlers })
  if (handlers.focusComposer) composers.notify()
  return () => {
    const others = Object.entries(open.get(conversation) ?? {}).filter(([name]) => !(name in handlers))
    if (others.length > 0) open.set(conversation, Object.fromEntries(others))
    else open.delete(conversation)
    if (handlers.focusComposer) composers.notify()
  }
}

export const watchComposers = composers.watch

export const isComposerOpen = (conversation: string) => open.get(conversation)?.focusComposer !== undefined

export const focusComposer = (conversation: string) => open.get(conversation)?.focusComposer?.()

export const revealMessage = (conversation: string, messageId: string) =>
  open.get(conversation)?.revealMessage?.(messageId)
