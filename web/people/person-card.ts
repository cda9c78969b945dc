import { type ComponentType, createContext } from 'react'

export interface PersonCardProps {
  userId: string
  /** The element that it opens at. */
  anchor: HTMLElement
  /** The element that gets the focus when it closes. */
  origin: HTMLElement
  /** Whether the person may be mentioned in the conversation on screen, if that can be written in. */
  canMention?: boolean
  /** Called before the card leads away from where it is shown, such as to a conversation. */
  onLeave?: () => void
  onClose: () => void
}

/** Loads a person's card, for parts that show it themselves. Pages provide it, because it needs other features. */
export const PersonCardLoader = createContext<(() => Promise<{ default: ComponentType<PersonCardProps> }>) | undefined>(
  undefined,
)

/**
 * Opens the card of a person at an element of the page. Clicks need only `data-person` with the person's id.
 */
export const showPerson = (anchor: HTMLElement, userId: string) =>
  anchor.dispatchEvent(new CustomEvent('person', { bubbles: true, detail: userId }))
