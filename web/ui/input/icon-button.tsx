import type { ComponentProps } from 'react'

/** A button that shows only an icon; its name is also its tooltip. */
export function IconButton({ name, className = '', ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className={`inline-grid size-7 flex-none place-items-center rounded-s text-soft transition-colors hover:bg-press hover:text-ink pointer-coarse:size-11 ${className}`}
      {...rest}
    />
  )
}
