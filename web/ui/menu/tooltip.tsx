import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'

interface Props {
  anchor: HTMLElement
  onClose: () => void
  children: ReactNode
}

/** A text that floats at an element, hidden from screen readers: the element is labelled with it. Load it lazily. */
export default function Tooltip({ anchor, onClose, children }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side="top"
          sideOffset={6}
          collisionPadding={8}
          className="pointer-events-none z-40"
        >
          <Base.Popup
            aria-hidden="true"
            className="max-w-[min(280px,var(--available-width))] animate-appear text-pretty rounded-m border border-line bg-raised px-2.5 py-1.5 text-meta text-soft shadow-float"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
