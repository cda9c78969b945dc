import { type ReactNode, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { direction } from '../../../i18n/language.ts'
import { useActiveRow } from '../../../ui/list/active-row.ts'
import { OptionRow, optionId } from '../../../ui/list/option-row.tsx'
import type { SuggestionHost } from './use-suggestions.tsx'

export interface Suggestion {
  id: string
  /** The text to insert. */
  text: string
  /** Whether the typed word is its full name, so that the closing ':' chooses it. */
  isNamed?: boolean
  content: ReactNode
}

interface Props {
  name: string
  host: SuggestionHost
  suggestions: readonly Suggestion[]
}

/** Suggestions above a text area, which keeps the focus. Renders nothing if there are none. */
export function SuggestionList({ name, host, suggestions }: Props) {
  const { id, typed, keys, onSelect } = host
  const list = useRef<HTMLDivElement>(null)
  const { active, isChosen, activate, moveByKey } = useActiveRow(suggestions, { sought: typed })

  useImperativeHandle(keys, () => (key: string) => {
    if (!active) return false
    if (moveByKey(key)) return true
    // Once the name is typed in full, Enter belongs to the text area.
    if (key === 'Enter' && (isChosen || !suggestions.some(({ text }) => text.toLowerCase() === typed)))
      onSelect(active.text)
    else if (key === 'Tab' || (key === ':' && active.isNamed)) onSelect(active.text)
    else return false
    return true
  })

  const reportActive = useEffectEvent(host.onActive)
  const activeId = active && optionId(id, active.id)
  // Before the list is painted, so that a key pressed as soon as it appears chooses from it.
  useLayoutEffect(() => reportActive(activeId), [activeId])
  // Also a layout effect; otherwise it would run after the report of a list that replaces this one.
  useLayoutEffect(() => () => reportActive(undefined), [])
  usePositionAbove(list, host.field)

  if (!active) return null
  return createPortal(
    <div
      ref={list}
      // Hides the toolbar of the row under the pointer.
      data-suggestions=""
      className="fixed z-40 flex flex-col rounded-m border border-line bg-raised p-1 text-ui shadow-float"
    >
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={name}
        // A click leaves the focus in the text area.
        onMouseDown={(event) => event.preventDefault()}
        className="min-h-0 overflow-y-auto overscroll-contain outline-none"
      >
        {suggestions.map((suggestion) => (
          <OptionRow
            key={suggestion.id}
            id={optionId(id, suggestion.id)}
            isActive={suggestion === active}
            // Pointing at the first one does not choose it: Enter may still belong to the text area.
            onPoint={() => suggestion !== active && activate(suggestion.id)}
            onClick={() => onSelect(suggestion.text)}
            className="flex h-9 cursor-default items-center gap-2 rounded-s px-2 pointer-coarse:h-11"
          >
            {suggestion.content}
          </OptionRow>
        ))}
      </div>
    </div>,
    host.field.closest<HTMLElement>('main, aside') ?? document.body,
  )
}

const FIELD_GAP_PX = 6
const WINDOW_GAP_PX = 8
const MAX_WIDTH_PX = 440
const MAX_HEIGHT_PX = 280
const MIN_HEIGHT_PX = 132

/** Positions a list above a field, or below it if there is too little room above. */
function usePositionAbove(list: { current: HTMLElement | null }, field: HTMLElement) {
  const position = useEffectEvent(() => {
    const { style } = list.current ?? {}
    if (!style) return
    const { top, bottom, left, right, width } = field.getBoundingClientRect()
    // An on-screen keyboard shrinks the visual viewport only.
    const viewport = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight }
    const above = top - viewport.offsetTop - FIELD_GAP_PX - WINDOW_GAP_PX
    const below = viewport.offsetTop + viewport.height - bottom - FIELD_GAP_PX - WINDOW_GAP_PX
    const isAbove = above >= MIN_HEIGHT_PX || above >= below
    const listWidth = Math.min(width, MAX_WIDTH_PX)
    style.left = `${direction() === 'rtl' ? right - listWidth : left}px`
    style.width = `${listWidth}px`
    style.bottom = isAbove ? `${document.documentElement.clientHeight - top + FIELD_GAP_PX}px` : ''
    style.top = isAbove ? '' : `${bottom + FIELD_GAP_PX}px`
    const maxHeight = Math.min(isAbove ? above : below, MAX_HEIGHT_PX)
    style.maxHeight = `${maxHeight}px`
    const scroller = list.current?.firstElementChild
    const rows = scroller && [...scroller.children].reduce((sum, row) => sum + row.getBoundingClientRect().height, 0)
    scroller?.classList.toggle('fades-below', (rows ?? 0) > maxHeight)
  })
  // The field may have grown with its text.
  useLayoutEffect(() => position())
  useEffect(() => {
    const update = () => position()
    const resizeObserver = new ResizeObserver(update)
    resizeObserver.observe(field)
    window.addEventListener('resize', update)
    window.addEventListener('scroll', update, { capture: true, passive: true })
    window.visualViewport?.addEventListener('resize', update)
    window.visualViewport?.addEventListener('scroll', update)
    return () => {
      resizeObserver.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update, { capture: true })
      window.visualViewport?.removeEventListener('resize', update)
      window.visualViewport?.removeEventListener('scroll', update)
    }
  }, [field])
}
