import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { SuggestionHost } from './use-suggestions.tsx'

export interface Suggestion {
  id: string
  /** What stands in the text when it is taken. */
  text: string
  /** Whether what is written names it already, so that the sign that closes a name takes it. */
  isNamed?: boolean
  content: ReactNode
}

interface Props {
  name: string
  host: SuggestionHost
  suggestions: readonly Suggestion[]
}

/** What can be named, over the box one writes in, which keeps the focus. Shows nothing where there is nothing. */
export function SuggestionList({ name, host, suggestions }: Props) {
  const { id, written, keys, onTake } = host
  const list = useRef<HTMLDivElement>(null)
  // Another word begins with the best again.
  const [chosen, setChosen] = useState({ written, at: 0, isChosen: false })
  const isChosen = chosen.written === written && chosen.isChosen
  const at = isChosen ? Math.min(chosen.at, suggestions.length - 1) : 0
  const choose = (index: number) => setChosen({ written, at: index, isChosen: true })
  const optionId = (index: number) => `${id}-${index}`
  const active = suggestions[at]

  useImperativeHandle(keys, () => (key: string) => {
    const { length } = suggestions
    if (!active) return false
    if (key === 'ArrowDown') choose((at + 1) % length)
    else if (key === 'ArrowUp') choose((at + length - 1) % length)
    // A name that stands there in full is no question any more: Enter is for the box.
    else if (key === 'Enter' && (isChosen || !suggestions.some(({ text }) => text.toLowerCase() === written)))
      onTake(active.text)
    else if (key === 'Tab' || (key === ':' && active.isNamed)) onTake(active.text)
    else return false
    return true
  })

  const tell = useEffectEvent(host.onActive)
  const activeId = active && optionId(at)
  useEffect(() => {
    tell(activeId)
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  useEffect(() => () => tell(undefined), [])
  usePlaceOver(list, host.field)

  if (!active) return null
  return createPortal(
    <div
      ref={list}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={name}
      // Whoever writes goes on writing.
      onMouseDown={(event) => event.preventDefault()}
      className="fixed z-40 overflow-y-auto overscroll-contain rounded-m border border-line bg-raised p-1 text-ui shadow-float"
    >
      {suggestions.map(({ id: key, text, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
        <div
          key={key}
          id={optionId(index)}
          role="option"
          // It never has the focus, which stays in the box.
          tabIndex={-1}
          aria-selected={index === at}
          // The list may move under a pointer that rests.
          onPointerMove={({ movementX, movementY }) => (movementX || movementY) && index !== at && choose(index)}
          onClick={() => onTake(text)}
          className={`flex h-9 cursor-default items-center gap-2 rounded-s px-2 pointer-coarse:h-11 ${index === at ? 'bg-pine-wash' : ''}`}
        >
          {content}
        </div>
      ))}
    </div>,
    host.field.closest<HTMLElement>('main, aside') ?? document.body,
  )
}

/** Pixels: from the field and the window's edge; the most of each side, where half a row tells of more; the least. */
const GAP = 6
const EDGE = 8
const WIDEST = 440
const HIGHEST = 280
const LOWEST = 132

/** Keeps a list at the upper edge of a field; at the lower one where it begins too near to the top of what is seen. */
function usePlaceOver(list: { current: HTMLElement | null }, field: HTMLElement) {
  const place = useEffectEvent(() => {
    const { style } = list.current ?? {}
    if (!style) return
    const { top, bottom, left, width } = field.getBoundingClientRect()
    // A phone's keyboard takes away from the one, not from the other.
    const seen = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight }
    const above = top - seen.offsetTop - GAP - EDGE
    const below = seen.offsetTop + seen.height - bottom - GAP - EDGE
    const isAbove = above >= LOWEST || above >= below
    style.left = `${left}px`
    style.width = `${Math.min(width, WIDEST)}px`
    style.bottom = isAbove ? `${document.documentElement.clientHeight - top + GAP}px` : ''
    style.top = isAbove ? '' : `${bottom + GAP}px`
    style.maxHeight = `${Math.min(isAbove ? above : below, HIGHEST)}px`
  })
  // The field may have grown with the text.
  useLayoutEffect(() => place())
  useEffect(() => {
    const again = () => place()
    const grown = new ResizeObserver(again)
    grown.observe(field)
    window.addEventListener('resize', again)
    window.addEventListener('scroll', again, { capture: true, passive: true })
    window.visualViewport?.addEventListener('resize', again)
    window.visualViewport?.addEventListener('scroll', again)
    return () => {
      grown.disconnect()
      window.removeEventListener('resize', again)
      window.removeEventListener('scroll', again, { capture: true })
      window.visualViewport?.removeEventListener('resize', again)
      window.visualViewport?.removeEventListener('scroll', again)
    }
  }, [field])
}
