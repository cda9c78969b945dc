import {
  Bold,
  Code,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  SquareCode,
  Strikethrough,
} from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { direction } from '../../../i18n/language.ts'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { changeText, type TextChange } from './edit-text.ts'
import { type LineFormat, toggleLines, toggleLink } from './format-lines.ts'
import { toggleBlock, toggleMark } from './format-toggle.ts'
import type { Mark } from './mark-keys.ts'

type Format = (text: string, start: number, end: number) => TextChange

const marked =
  (mark: Mark): Format =>
  (text, start, end) =>
    toggleMark(text, start, end, mark)
const lines =
  (format: LineFormat): Format =>
  (text, start, end) =>
    toggleLines(text, start, end, format)

interface Item {
  name: PlainTextId
  Icon: LucideIcon
  format: Format
  keys?: string
  /** Whether a separator precedes it. */
  isFirst?: true
  isMirrored?: true
}

const items: readonly Item[] = [
  { name: 'messages.format.bold', Icon: Bold, format: marked('**'), keys: 'Mod+B' },
  { name: 'messages.format.italic', Icon: Italic, format: marked('*'), keys: 'Mod+I' },
  { name: 'messages.format.strikethrough', Icon: Strikethrough, format: marked('~~') },
  { name: 'messages.format.link', Icon: Link, format: toggleLink, isFirst: true },
  { name: 'messages.format.bullets', Icon: List, format: lines('list'), isFirst: true, isMirrored: true },
  { name: 'messages.format.numbers', Icon: ListOrdered, format: lines('numbers') },
  { name: 'messages.format.quote', Icon: Quote, format: lines('quote'), isFirst: true },
  { name: 'messages.format.code', Icon: Code, format: marked('`'), keys: 'Mod+Shift+C', isFirst: true },
  { name: 'messages.format.codeBlock', Icon: SquareCode, format: toggleBlock },
]

/** Buttons that format the selection of a text area, like the shortcuts. One tab stop; arrow keys move. Lazy-loaded. */
export default function FormatBar({ textarea }: { textarea: RefObject<HTMLTextAreaElement | null> }) {
  const [stop, setStop] = useState(0)

  function format(item: Item) {
    const { current } = textarea
    if (!current || current.readOnly) return
    changeText(current, item.format(current.value, current.selectionStart, current.selectionEnd))
  }

  return (
    <div
      role="toolbar"
      aria-label={t('messages.format.label')}
      aria-orientation="horizontal"
      className="flex h-8 items-center gap-0.5 border-line border-b px-1.5 pointer-coarse:h-11"
      onKeyDown={moveBetween}
      onFocus={({ target, currentTarget }) => setStop(indexIn(currentTarget, target))}
    >
      {items.map((item, nth) => (
        <span key={item.name} className="contents">
          {item.isFirst && <span className="mx-0.5 h-4 flex-none border-line-strong border-s wide:mx-1" />}
          <IconButton
            name={t(item.name)}
            keys={item.keys}
            tabIndex={nth === stop ? 0 : -1}
            // Shrinks where nine buttons don't fit.
            className="h-7! w-auto! min-w-6 max-w-7 flex-1! pointer-coarse:h-11! pointer-coarse:max-w-11"
            // Keeps a phone's keyboard open.
            onMouseDown={keepFocus}
            onClick={() => format(item)}
          >
            <item.Icon size={16} className={item.isMirrored && 'rtl:-scale-x-100'} />
          </IconButton>
        </span>
      ))}
    </div>
  )
}

const buttonsOf = (bar: HTMLElement) => [...bar.querySelectorAll('button')]
const indexIn = (bar: HTMLElement, target: EventTarget) => buttonsOf(bar).indexOf(target as HTMLButtonElement)

function moveBetween(event: KeyboardEvent<HTMLElement>) {
  const buttons = buttonsOf(event.currentTarget)
  const at = indexIn(event.currentTarget, event.target)
  const forward = direction() === 'rtl' ? -1 : 1
  const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: buttons.length - 1 }[event.key]
  const next = to === undefined ? undefined : buttons.at(to % buttons.length)
  if (!next) return
  event.preventDefault()
  next.focus()
}
