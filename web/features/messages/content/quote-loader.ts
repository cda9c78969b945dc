import { type ComponentType, createContext } from 'react'
import type { MessagePlace } from '#contract/quotes'

/**
 * Loads what shows a quoted message. Pages provide it, because it names the message's channel; where there is none, such as in
 * a quoted message, a quote is shown as a link.
 */
export const QuoteLoader = createContext<(() => Promise<{ default: ComponentType<MessagePlace> }>) | undefined>(
  undefined,
)
