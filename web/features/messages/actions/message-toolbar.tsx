import { Ellipsis } from 'lucide-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { signs } from './action-icons.ts'
import type { Action, Actions } from './message-actions.ts'
import { fetchPopup, type Popup } from './message-popup.tsx'

interface Props {
  actions: Actions
  /** What is open at the row by now. */
  opened: Popup['kind'] | undefined
  onMore: Action['act']
}

/** What one does most with a message, and the way to the rest. Loaded late. */
export default function MessageToolbar({ actions: { react, reply, edit }, opened, onMore }: Props) {
  return (
    <ToolbarFrame>
      {react && (
        <ActionButton
          action={react}
          aria-haspopup="dialog"
          aria-expanded={opened === 'picker'}
          onPointerEnter={() => fetchPopup('picker')}
        />
      )}
      {reply && <ActionButton action={reply} />}
      {edit && <ActionButton action={edit} />}
      <ToolButton
        name="More actions"
        aria-haspopup="menu"
        aria-expanded={opened === 'menu'}
        onPointerEnter={() => fetchPopup('menu')}
        onClick={({ currentTarget }) => onMore(currentTarget)}
      >
        <Ellipsis size={16} />
      </ToolButton>
    </ToolbarFrame>
  )
}

/** Pixels of the toolbar above the row's edge, from the list's edge, and its height. */
const ABOVE = 14
const INSIDE = 4
const HEIGHT = 34

/** On the upper edge of the row, beside its lines where there is room; on that of the list where the row begins above it. */
export function ToolbarFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const row = frame.current?.closest('article')
    const list = row?.closest('section')
    if (!row || !list) return
    const place = () => {
      const { top, height } = row.getBoundingClientRect()
      const hidden = list.getBoundingClientRect().top - top
      const wanted = Math.min(Math.max(-ABOVE, hidden + INSIDE), height - HEIGHT)
      if (frame.current) frame.current.style.top = `${Math.max(-ABOVE, wanted)}px`
    }
    place()
    list.addEventListener('scroll', place, { passive: true })
    return () => list.removeEventListener('scroll', place)
  }, [])
  return (
    <div
      ref={frame}
      className="absolute -top-3.5 right-[max(var(--gutter),100%-var(--column)-106px)] z-2 flex gap-0.5 rounded-m border border-line bg-raised p-0.5 shadow-float"
    >
      {children}
    </div>
  )
}

function ActionButton({ action, ...button }: { action: Action } & Omit<ComponentProps<'button'>, 'name'>) {
  const { name, sign, key, act } = action
  const Icon = signs[sign]
  return (
    <ToolButton
      name={name}
      title={key ? `${name} (${key})` : name}
      onClick={({ currentTarget }) => act(currentTarget)}
      {...button}
    >
      <Icon size={16} />
    </ToolButton>
  )
}

/** Whoever writes goes on writing after a click on it. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

export function ToolButton({ name, ...button }: ComponentProps<typeof IconButton>) {
  return (
    <IconButton
      name={name}
      onMouseDown={keepFocus}
      className="aria-expanded:bg-press aria-expanded:text-ink disabled:pointer-events-none disabled:opacity-40"
      {...button}
    />
  )
}
