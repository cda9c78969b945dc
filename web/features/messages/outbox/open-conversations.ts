import { createWatchers } from '../../../ui/watchers.ts'

/** A part of a conversation on screen: a composer that can be focused, or a list that can scroll. */
interface Part {
  focusComposer?: () => void
  /** Scrolls the list until the row of a message is rendered and in view. */
  revealMessage?: (messageId: string) => void
}

const open = new Set<Part & { conversation: string }>()
const composers = createWatchers()

/** Registers a part for as long as it is on screen. Returns a function that removes it. */
export function registerConversation(conversation: string, part: Part) {
  const entry = { ...part, conversation }
  const notify = () => part.focusComposer && composers.notify()
  open.add(entry)
  notify()
  return () => {
    open.delete(entry)
    notify()
  }
}

const partWith = (name: keyof Part, conversation: string) =>
  [...open].findLast((entry) => entry.conversation === conversation && entry[name])

export const watchComposers = composers.watch

export const isComposerOpen = (conversation: string) => partWith('focusComposer', conversation) !== undefined

export const isListOpen = (conversation: string) => partWith('revealMessage', conversation) !== undefined

export const focusComposer = (conversation: string) => partWith('focusComposer', conversation)?.focusComposer?.()

export const revealMessage = (conversation: string, messageId: string) =>
  partWith('revealMessage', conversation)?.revealMessage?.(messageId)
