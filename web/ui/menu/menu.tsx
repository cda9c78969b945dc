import { Menu as Base } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBackCloses } from '../device/back-closes.ts'
import { keysLabel } from '../device/key-label.ts'
import { useFadeOut } from '../dialog/fade-out.ts'
import { useFocusBack } from '../dialog/focus-back.ts'

interface Props {
  name: string
  /** The element that it opens at, and that gets the focus back. */
  anchor: HTMLElement
  /** Which edges are aligned; by default the right ones. */
  align?: 'start' | 'end'
  /** Opens at the bottom of the window, in reach of a thumb, instead of at the anchor. */
  isSheet?: boolean
  onClose: () => void
  children: ReactNode
}

const positions = {
  menu: '',
  sheet: 'fixed! inset-x-0! top-auto! bottom-0! w-auto! transform-none!',
}
const popupStyles = {
  menu: 'min-w-44 rounded-m border border-line p-1',
  sheet: 'rounded-t-xl px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))]',
}

/** A menu of MenuItems. Load it lazily, like every dialog. */
export function Menu({ name, anchor, align = 'end', isSheet = false, onClose, children }: Props) {
  useFocusBack(anchor)
  useBackCloses(onClose)
  const { backdrop, popup } = useFadeOut()
  const kind = isSheet ? 'sheet' : 'menu'
  const landmark = anchor.closest<HTMLElement>('main, aside')
  // All content must be in a landmark; over a dialog the menu is in none.
  const region = landmark ? {} : { role: 'region', 'aria-label': name }
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={landmark ?? document.body} {...region}>
        {isSheet && <Base.Backdrop ref={backdrop} className="fixed inset-0 z-30 animate-appear bg-scrim" />}
        <Base.Positioner
          anchor={anchor}
          side="bottom"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={`z-40 outline-none ${positions[kind]}`}
        >
          <Base.Popup
            ref={popup}
            aria-label={name}
            finalFocus={false}
            className={`animate-appear bg-raised text-ui shadow-float outline-none ${popupStyles[kind]}`}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  Icon: LucideIcon
  children: string
  /** The keyboard shortcut. */
  keys?: string | undefined
  isDanger?: boolean | undefined
  isDisabled?: boolean | undefined
  /** Whether the icon is directional, and so mirrored in right-to-left languages. */
  isMirrored?: boolean | undefined
  onClick: () => void
}

export function MenuItem({ Icon, children, keys, onClick, ...flags }: ItemProps) {
  const { isDanger = false, isDisabled = false, isMirrored = false } = flags
  return (
    <Base.Item
      disabled={isDisabled}
      onClick={onClick}
      className={`flex h-8 items-center gap-2.5 rounded-s px-2 outline-none data-disabled:opacity-50 data-highlighted:bg-selected pointer-coarse:h-11 pointer-coarse:gap-3 pointer-coarse:px-3 ${isDanger ? 'text-danger' : 'text-ink'}`}
    >
      <Icon size={16} className={`${isDanger ? '' : 'text-soft'} ${isMirrored ? 'rtl:-scale-x-100' : ''}`} />
      <span className="flex-1">{children}</span>
      {keys && (
        <kbd className="min-w-6 text-center font-sans text-faint text-meta pointer-coarse:hidden">
          {keysLabel(keys)}
        </kbd>
      )}
    </Base.Item>
  )
}

/** A line before items of another kind. */
export function MenuDivider() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}

/** A row of `MenuSign`s. */
export function MenuRow({ children }: { children: ReactNode }) {
  return <div className="mb-1 flex justify-between gap-1 border-line border-b px-1 pb-2">{children}</div>
}

export function MenuSign({ name, children, onClick }: { name: string; children: ReactNode; onClick: () => void }) {
  return (
    <Base.Item
      aria-label={name}
      label={name}
      onClick={onClick}
      className="grid size-11 place-items-center rounded-full bg-sunk text-[1.375rem] outline-none data-highlighted:bg-selected"
    >
      {children}
    </Base.Item>
  )
}
