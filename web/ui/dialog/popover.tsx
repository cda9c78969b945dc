import { Popover as Base } from '@base-ui/react/popover'
import { type ReactNode, useState } from 'react'

interface Props {
  name: string
  /** The element that it floats at, and that gets the focus back. */
  anchor: HTMLElement
  /** Where it opens if there is room. */
  side?: 'top' | 'inline-start'
  /** Which edges are aligned; by default the right ones. */
  align?: 'start' | 'end'
  onClose: () => void
  children: ReactNode
}

/** A card that floats at an element, and flips at the edge of the window. Load it lazily, like every dialog. */
export function Popover({ name, anchor, side = 'top', align = 'end', onClose, children }: Props) {
  const [virtualAnchor] = useState(() => lastVisible(anchor))
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={virtualAnchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-40"
        >
          <Base.Popup
            aria-label={name}
            finalFocus={() => anchor}
            className="max-h-(--available-height) animate-appear overflow-hidden rounded-l border border-line bg-raised shadow-float outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A virtual anchor at the last visible position: the element may show on hover only. */
function lastVisible(anchor: HTMLElement) {
  let last = anchor.getBoundingClientRect()
  const getBoundingClientRect = () => {
    const rect = anchor.getBoundingClientRect()
    if (rect.width > 0) last = rect
    return last
  }
  return { getBoundingClientRect, contextElement: anchor }
}
