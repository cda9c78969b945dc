import { Ellipsis } from 'lucide-react'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { actionIcons } from './action-icons.ts'
import type { Action } from './message-actions.ts'
import { fetchPopup, type Popup } from './message-popup.tsx'

interface Props {
  actions: readonly Action[]
  /** What is open at the row. */
  opened: Popup['kind'] | undefined
  onMore: Action['run']
}

/** The most frequent actions, and a button that opens the menu of the others. Load it lazily. */
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
    const conversation = () => {
      const { top, height } = row.getBoundingClientRect()
      const hidden = list.getBoundingClientRect().top - top
      const wanted = Math.min(Math.max(-ABOVE, hidden + INSIDE), height - HEIGHT)
      if (frame.current) frame.current.style.top = `${Math.max(-ABOVE, wanted)}px`
    }
    conversation()
    list.addEventListener('scroll', conversation, { passive: true })
    return () => list.removeEventListener('scroll', conversation)
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
    <ToolButton
      name={name}
      title={key ? `${name} (${key})` : name}
      onClick={({ currentTarget }) => run(currentTarget)}
      {...button}
    >
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
