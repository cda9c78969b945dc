import { type ReactNode, useEffect, useRef } from 'react'

/** The id of a row's element. */
export const optionId = (listId: string, rowId: string) => `${listId}-${rowId}`

interface Props {
  /** From `optionId`. */
  id: string
  isActive: boolean
  /** Called when the pointer moves over the row. */
  onPoint: () => void
  onClick: () => void
  className: string
  children: ReactNode
}

/** A row of a list whose field keeps the focus. */
export function OptionRow({ id, isActive, onPoint, onClick, className, children }: Props) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      // Not onPointerEnter, and only with a movement: the row may move under a resting pointer.
      onPointerMove={({ movementX, movementY }) => (movementX || movementY) && onPoint()}
      onClick={onClick}
      className={`${className} ${isActive ? 'bg-selected' : ''}`}
    >
      {children}
    </div>
  )
}
