import {
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { isComposing } from '../../../ui/input/is-composing.ts'
import { useLazy } from '../../../ui/lazy/lazy.tsx'
import { changeText } from '../editor/edit-text.ts'
import { type SuggestionTrigger, triggerAt } from './suggestion-trigger.ts'

/** Connects a list of suggestions to its text area. */
export interface SuggestionHost {
  id: string
  /** The element that the list is shown at. */
  field: HTMLElement
  /** The typed word with its sign, such as '@ad'. */
  typed: string
  /** Set by the list: handles a key pressed in the text area. Returns whether it did. */
  keys: RefObject<((key: string) => boolean) | null>
  /** Called with the id of the active option when it changes. */
  onActive: (optionId: string | undefined) => void
  onSelect: (text: string) => void
}

export interface SuggestionsProps {
  channelId: string
  trigger: SuggestionTrigger
  host: SuggestionHost
}

/** Loads the lists of people, channels and emoji. Pages provide it, because the lists need other features. */
export const SuggestionsLoader = createContext<
  (() => Promise<{ default: ComponentType<SuggestionsProps> }>) | undefined
>(undefined)

const unavailable = () => Promise.reject(new Error('No suggestions are provided here'))

/**
 * Suggestions for a text area. Returns the list, the event handlers and the ARIA attributes.
 * @param channelId without it, nothing is suggested
 */
export function useSuggestions(textarea: RefObject<HTMLTextAreaElement | null>, channelId: string | undefined) {
  const load = useContext(SuggestionsLoader)
  const { Part: List, fetch } = useLazy(load ?? unavailable)
  const id = useId()
  const [opened, setOpen] = useState<{ trigger: SuggestionTrigger; field: HTMLElement }>()
  const open = channelId === undefined ? undefined : opened
  const trigger = open?.trigger
  const [active, setActive] = useState<string>()
  const keys = useRef<((key: string) => boolean) | null>(null)
  /** The offset of the word whose list the user closed: it stays closed until another word begins. */
  const closedAt = useRef<number>(undefined)
  /** The last text that was checked. */
  const lastText = useRef('')

  function update(isTyped: boolean) {
    const { current } = textarea
    if (!load || !current || channelId === undefined) return
    const { selectionStart, selectionEnd, value } = current
    // Typing is handled by the input event: rendering before it would restore the old text.
    if (!isTyped && (!trigger || value !== lastText.current)) return
    lastText.current = value
    // `:tada:` is complete; the list still shows the matches of `:tada`.
    const isClosed = trigger && value.slice(trigger.from, selectionStart).toLowerCase() === `${typedText(trigger)}:`
    if (isTyped && isClosed && keys.current?.(':')) return
    const next = selectionStart === selectionEnd ? triggerAt(value, selectionStart) : undefined
    if (next?.from !== closedAt.current) closedAt.current = undefined
    const isOffered = next && closedAt.current === undefined && (isTyped || next.from === trigger?.from)
    if (!isOffered) return setOpen(undefined)
    if (!List) void fetch()
    const isSame = next.kind === trigger?.kind && next.from === trigger.from && next.word === trigger.word
    if (!isSame) setOpen({ trigger: next, field: current.parentElement ?? current })
  }
  const onMove = useEffectEvent(() => update(false))
  useEffect(() => {
    const listener = () => onMove()
    document.addEventListener('selectionchange', listener)
    return () => document.removeEventListener('selectionchange', listener)
  }, [])

  function select(text: string) {
    const { current } = textarea
    if (!current || !trigger) return
    const caret = current.selectionStart
    const hasSpace = current.value[caret] === ' '
    changeText(current, { from: trigger.from, to: hasSpace ? caret + 1 : caret, text: `${text} ` })
    setOpen(undefined)
  }

  /** Returns whether the list handled the key. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!trigger || active === undefined || isComposing(event.nativeEvent)) return false
    if (ctrlKey || metaKey || altKey || shiftKey) return false
    if (key === 'Escape') {
      closedAt.current = trigger.from
      setOpen(undefined)
    } else if (!keys.current?.(key)) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  const host = open && {
    id,
    field: open.field,
    typed: typedText(open.trigger),
    keys,
    onActive: setActive,
    onSelect: select,
  }
  const isShown = open !== undefined && active !== undefined
  return {
    onKeyDown,
    onInput: () => update(true),
    onBlur: () => setOpen(undefined),
    list: List && host && channelId !== undefined && <List channelId={channelId} trigger={open.trigger} host={host} />,
    /** Without `role=combobox`, which a text area must not have. */
    aria: isShown
      ? ({
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': id,
          'aria-activedescendant': active,
        } as const)
      : undefined,
  }
}

const signs = { person: '@', channel: '#', emoji: ':' }
const typedText = ({ kind, word }: SuggestionTrigger) => `${signs[kind]}${word}`
