import { Popover as Base } from '@base-ui/react/popover'
import { type ReactNode, useState } from 'react'

interface Props {
  name: string
  /** What it floats at, and what has the focus again afterwards. */
  anchor: HTMLElement
  /** Which edges stand in one line; the right ones unless said. */
  align?: 'start' | 'end'
  onClose: () => void
  children: ReactNode
}

/** A card that floats at an element and turns over where the window ends. Load it lazily, as every dialog. */
export function Popover({ name, anchor, align = 'end', onClose, children }: Props) {
  const [place] = useState(() => staying(anchor))
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={place} side="top" align={align} sideOffset={6} collisionPadding={8} className="z-40">
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

/** The anchor's place; the last one it had where it shows on hover only and is hidden by now. */
function staying(anchor: HTMLElement) {
  let last = anchor.getBoundingClientRect()
  const getBoundingClientRect = () => {
    const rect = anchor.getBoundingClientRect()
    if (rect.width > 0) last = rect
    return last
  }
  return { getBoundingClientRect, contextElement: anchor }
}
