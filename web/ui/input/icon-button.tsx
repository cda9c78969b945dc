import type { ComponentProps } from 'react'
import { keysLabel } from '../device/key-label.ts'

interface Props extends ComponentProps<'button'> {
  name: string
  /** The keyboard shortcut, for the tooltip. */
  keys?: string | undefined
}

/** A button that shows only an icon; its name is also its tooltip (`menu/tooltips.ts`). */
export function IconButton({ name, keys, title, className = '', children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={name}
      data-tip={name}
      data-keys={keys && keysLabel(keys)}
      title={title}
      className={`inline-grid size-7 flex-none place-items-center rounded-s text-soft transition-colors hover:bg-press hover:text-ink pointer-coarse:size-11 ${className}`}
      {...rest}
    >
      {/* The empty title suppresses the browser's tooltip beside ours. */}
      {title ? (
        <span title="" className="grid size-full place-items-center">
          {children}
        </span>
      ) : (
        children
      )}
    </button>
  )
}
