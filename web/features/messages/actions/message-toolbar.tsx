import { Ellipsis } from 'lucide-react'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { actionIcons } from './action-icons.ts'
import type { Action } from './message-actions.ts'
import { fetchPopup, type Popup } from './message-popup.tsx'

interface Props {
  actions: readonly Action[]
  /** The popup that is open at the row. */
  opened: Popup['kind'] | undefined
  onMore: Action['run']
}

/** The most frequent actions, and a button that opens the menu of the others. Lazy-loaded. */
export default function MessageToolbar({ actions, opened, onMore }: Props) {
  const shown = actions.filter((action) => action.in === 'toolbar')
  return (
    <ToolbarFrame>
      {shown.map((action) => (
        <ActionButton key={action.id} action={action} {...(action.id === 'react' && pickerButton(opened))} />
      ))}
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

const pickerButton = (opened: Popup['kind'] | undefined) => ({
  'aria-haspopup': 'dialog' as const,
  'aria-expanded': opened === 'picker',
  onPointerEnter: () => fetchPopup('picker'),
})

const OVERLAP_PX = 14
const LIST_MARGIN_PX = 4
const HEIGHT_PX = 34

/** Sits on the upper edge of the row or, if that is scrolled out of view, of the list. */
export function ToolbarFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const row = frame.current?.closest('article')
    const list = row?.closest('section')
    if (!row || !list) return
    const updatePosition = () => {
      const { top, height } = row.getBoundingClientRect()
      const hidden = list.getBoundingClientRect().top - top
      const offset = Math.min(Math.max(-OVERLAP_PX, hidden + LIST_MARGIN_PX), height - HEIGHT_PX)
      if (frame.current) frame.current.style.top = `${Math.max(-OVERLAP_PX, offset)}px`
    }
    updatePosition()
    list.addEventListener('scroll', updatePosition, { passive: true })
    return () => list.removeEventListener('scroll', updatePosition)
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
  const { id, name, key, run } = action
  const Icon = actionIcons[id]
  return (
    <ToolButton name={name} keys={key} onClick={({ currentTarget }) => run(currentTarget)} {...button}>
      <Icon size={16} />
    </ToolButton>
  )
}

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
