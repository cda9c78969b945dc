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
import { type Asked, wordAt } from './suggestion-trigger.ts'

/** Connects a list of suggestions to its text area. */
export interface SuggestionHost {
  id: string
  /** The element that it is placed at. */
  field: HTMLElement
  /** The typed word with its sign. */
  written: string
  /** Set by the list: handles a key of the text area, and returns whether it did. */
  keys: RefObject<((key: string) => boolean) | null>
  /** Called with the id of the active option when it changes. */
  onActive: (optionId: string | undefined) => void
  onTake: (text: string) => void
}

export interface SuggestionsProps {
  channelId: string
  asked: Asked
  host: SuggestionHost
}

/** Loads the lists of people, channels and emoji; pages provide it, because the lists need other features. */
export const SuggestionsLoader = createContext<
  (() => Promise<{ default: ComponentType<SuggestionsProps> }>) | undefined
>(undefined)

const nothing = () => Promise.reject(new Error('Nobody offers suggestions here'))

/** Suggestions for a text area: returns the list, the key handlers and the ARIA attributes. */
export function useSuggestions(box: RefObject<HTMLTextAreaElement | null>, channelId: string) {
  const load = useContext(SuggestionsLoader)
  const { Part: List, fetch } = useLazy(load ?? nothing)
  const id = useId()
  const [open, setOpen] = useState<{ asked: Asked; field: HTMLElement }>()
  const asked = open?.asked
  const [active, setActive] = useState<string>()
  const keys = useRef<((key: string) => boolean) | null>(null)
  /** The offset of a name whose list the user closed: it stays closed until another name begins. */
  const closedAt = useRef<number>(undefined)
  /** The last text that was checked. */
  const seen = useRef('')

  function look(isTyped: boolean) {
    const { current } = box
    if (!load || !current) return
    const { selectionStart, selectionEnd, value } = current
    // Typing is handled by the input event: rendering before it would restore the old text.
    if (!isTyped && (!asked || value !== seen.current)) return
    seen.current = value
    // `:tada:` is complete; the list still shows the matches of `:tada`.
    const isClosed = asked && value.slice(asked.from, selectionStart).toLowerCase() === `${writtenOf(asked)}:`
    if (isTyped && isClosed && keys.current?.(':')) return
    const next = selectionStart === selectionEnd ? wordAt(value, selectionStart) : undefined
    if (next?.from !== closedAt.current) closedAt.current = undefined
    const isOffered = next && closedAt.current === undefined && (isTyped || next.from === asked?.from)
    if (!isOffered) return setOpen(undefined)
    if (!List) void fetch()
    const isSame = next.kind === asked?.kind && next.from === asked.from && next.word === asked.word
    if (!isSame) setOpen({ asked: next, field: current.parentElement ?? current })
  }
  const move = useEffectEvent(() => look(false))
  useEffect(() => {
    const onMove = () => move()
    document.addEventListener('selectionchange', onMove)
    return () => document.removeEventListener('selectionchange', onMove)
  }, [])

  function take(text: string) {
    const { current } = box
    if (!current || !asked) return
    const caret = current.selectionStart
    const hasSpace = current.value[caret] === ' '
    changeText(current, { from: asked.from, to: hasSpace ? caret + 1 : caret, text: `${text} ` })
    setOpen(undefined)
  }

  /** Returns whether the list handled the key. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!asked || active === undefined || isComposing(event.nativeEvent)) return false
    if (ctrlKey || metaKey || altKey || shiftKey) return false
    if (key === 'Escape') {
      closedAt.current = asked.from
      setOpen(undefined)
    } else if (!keys.current?.(key)) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  const host = open && {
    id,
    field: open.field,
    written: writtenOf(open.asked),
    keys,
    onActive: setActive,
    onTake: take,
  }
  const isShown = open !== undefined && active !== undefined
  return {
    onKeyDown,
    onInput: () => look(true),
    onBlur: () => setOpen(undefined),
    list: List && host && <List channelId={channelId} asked={open.asked} host={host} />,
    /** The ARIA attributes that a text area may have; `role=combobox` would allow more, but not on a text area. */
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

const writtenOf = ({ kind, word }: Asked) => `${kind === 'person' ? '@' : kind === 'channel' ? '#' : ':'}${word}`
