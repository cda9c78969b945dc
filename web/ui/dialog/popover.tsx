import { Popover as Base } from '@base-ui/react/popover'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { useFadeOut } from './fade-out.ts'
import { useFocusBack } from './focus-back.ts'

interface Props {
  name: string
  /** The element that it floats at, and that gets the focus back. */
  anchor: HTMLElement
  /** Where it opens if there is room. */
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end'
  /** Which edges are aligned; by default the right ones. */
  align?: 'start' | 'end'
  /** Opens at the bottom of the window, in reach of a thumb, instead of at the anchor, and is modal. */
  isSheet?: boolean
  /** The element that gets the focus back, if it is not the anchor. */
  origin?: HTMLElement
  onClose: () => void
  children: ReactNode
}

const positions = {
  card: '',
  sheet: 'fixed! inset-x-0! top-auto! bottom-0! w-auto! transform-none!',
}
const popupStyles = {
  card: 'rounded-l border border-line',
  sheet: 'rounded-t-xl pb-[env(safe-area-inset-bottom)]',
}

/** A card that floats at an element, and flips at the edge of the window. Load it lazily, like every dialog. */
export function Popover({
  name,
  anchor,
  side = 'top',
  align = 'end',
  isSheet = false,
  origin = anchor,
  onClose,
  children,
}: Props) {
  const [virtualAnchor] = useState(() => lastVisible(anchor))
  useFocusBack(origin)
  const { backdrop, popup } = useFadeOut()
  const kind = isSheet ? 'sheet' : 'card'
  return (
    <Base.Root open modal={isSheet} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        {isSheet && <Base.Backdrop ref={backdrop} className="fixed inset-0 z-30 animate-appear bg-scrim" />}
        <Base.Positioner
          anchor={virtualAnchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={`z-40 ${positions[kind]}`}
        >
          <Base.Popup
            ref={popup}
            aria-label={name}
            finalFocus={false}
            className={`max-h-(--available-height) animate-appear overflow-hidden bg-raised shadow-float outline-none ${popupStyles[kind]}`}
          >
            {children}
            {/* For screen readers on touch devices, which have no Escape. */}
            {isSheet && <Base.Close className="sr-only">{t('ui.close')}</Base.Close>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A virtual anchor at the last visible position, because the element may be visible only on hover. */
function lastVisible(anchor: HTMLElement) {
  let last = anchor.getBoundingClientRect()
  const getBoundingClientRect = () => {
    const rect = anchor.getBoundingClientRect()
    if (rect.width > 0) last = rect
    return last
  }
  return { getBoundingClientRect, contextElement: anchor }
}
