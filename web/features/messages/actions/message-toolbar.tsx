import { Ellipsis } from 'lucide-react'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { customIn, isCustom, useCustomEmoji } from '../../../emoji/custom-emoji.ts'
import { countEmoji, frequentEmoji } from '../../../emoji/emoji-counts.ts'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { t } from '../../../i18n/text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { actionIcons, actionNames } from './action-labels.ts'
import type { Action } from './message-actions.ts'
import { fetchPopup, type Popup } from './message-popup.tsx'

interface Props {
  actions: readonly Action[]
  person: string
  onReact: (emoji: string) => void
  /** The popup that is open at the row. */
  opened: Popup['kind'] | undefined
  onMore: Action['run']
}

const FIRST_REACTIONS = ['👍', '✅', '😂']

/** My most frequent reactions and actions, and a button that opens the full menu. Lazy-loaded. */
export default function MessageToolbar({ actions, person, onReact, opened, onMore }: Props) {
  const shown = actions.filter((action) => action.in === 'toolbar')
  const canReact = actions.some(({ id }) => id === 'react')
  return (
    <ToolbarFrame>
      {canReact && <QuickReactions person={person} onReact={onReact} />}
      {shown.map((action) => (
        <ActionButton key={action.id} action={action} {...(action.id === 'react' && pickerButton(opened))} />
      ))}
      <ToolButton
        name={t('messages.actions.more')}
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

interface QuickProps {
  person: string
  onReact: (emoji: string) => void
}

/** The order is fixed while shown. On touch they are in the sheet instead, because here they would cover the text. */
function QuickReactions({ person, onReact }: QuickProps) {
  const custom = useCustomEmoji()
  const isUsable = (emoji: string) => !isCustom(emoji) || customIn(emoji, custom) !== undefined
  const [emojis] = useState(() => frequentEmoji(person, FIRST_REACTIONS, isUsable))
  const react = (emoji: string) => {
    countEmoji(person, emoji)
    onReact(emoji)
  }
  return (
    <span className="flex gap-0.5 pointer-coarse:hidden">
      {emojis.map((emoji) => (
        <ToolButton key={emoji} name={t('messages.actions.reactWith', { emoji })} onClick={() => react(emoji)}>
          <span aria-hidden className="text-head">
            <EmojiSign emoji={emoji} />
          </span>
        </ToolButton>
      ))}
      <span className="mx-0.5 h-4 w-px self-center bg-line" />
    </span>
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
const GAP_PX = 2
/** The minimum overlap with the row, so that the pointer can reach the toolbar. */
const MIN_OVERLAP_PX = 6

/** Sits on the upper edge of the row or, if that is scrolled out of view, of the list. */
export function ToolbarFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const row = frame.current?.closest('article')
    const list = row?.closest('section')
    if (!row || !list) return
    const updatePosition = () => {
      const overlap = overlapFor(row, frame.current)
      const { top, height } = row.getBoundingClientRect()
      const hidden = list.getBoundingClientRect().top - top
      const offset = Math.min(Math.max(-overlap, hidden + LIST_MARGIN_PX), height - HEIGHT_PX)
      const below = threadLineAbove(list, row, frame.current)
      if (frame.current) frame.current.style.top = `${Math.max(-overlap, offset, below)}px`
    }
    updatePosition()
    list.addEventListener('scroll', updatePosition, { passive: true })
    return () => list.removeEventListener('scroll', updatePosition)
  }, [])
  return (
    <div
      ref={frame}
      className="toolbar-place absolute -top-3.5 z-2 flex gap-0.5 rounded-m border border-line-strong bg-floating p-0.5 shadow-float in-[:is(main,aside):has(>[data-suggestions])]:hidden"
    >
      {children}
    </div>
  )
}

/** How far it extends above the row: `OVERLAP_PX`, or more if it would cover the time or a code block's button. */
function overlapFor(row: HTMLElement, frame: HTMLElement | null) {
  const { left = 0, right = 0 } = frame?.getBoundingClientRect() ?? {}
  const { top } = row.getBoundingClientRect()
  const above = [...row.querySelectorAll('p > time, .prose > :first-child .copy')]
    .map((part) => part.getBoundingClientRect())
    .filter((part) => part.right > left && part.left < right)
    .map((part) => HEIGHT_PX + GAP_PX - (part.top - top))
  return Math.min(Math.max(OVERLAP_PX, ...above), HEIGHT_PX - MIN_OVERLAP_PX)
}

/** The end of the thread line of the message above, relative to the row, if the toolbar would cover it. */
function threadLineAbove(list: HTMLElement, row: HTMLElement, frame: HTMLElement | null) {
  const rows = [...list.querySelectorAll('article')]
  const line = rows[rows.indexOf(row) - 1]?.querySelector('[data-thread-line]')?.getBoundingClientRect()
  const left = frame?.getBoundingClientRect().left ?? 0
  const right = frame?.getBoundingClientRect().right ?? 0
  if (!line || line.right < left || line.left > right) return Number.NEGATIVE_INFINITY
  return line.bottom + GAP_PX - row.getBoundingClientRect().top
}

function ActionButton({ action, ...button }: { action: Action } & Omit<ComponentProps<'button'>, 'name'>) {
  const { id, key, run } = action
  const Icon = actionIcons[id]
  return (
    <ToolButton name={t(actionNames[id])} keys={key} onClick={({ currentTarget }) => run(currentTarget)} {...button}>
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
