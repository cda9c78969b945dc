import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { keepFocus } from '../../../ui/input/keep-focus.ts'

const variants = {
  on: 'border-[color-mix(in_oklch,var(--pine)_45%,transparent)] bg-pine-wash text-pine-strong hover:border-pine',
  off: 'border-line bg-paper text-soft hover:border-line-strong hover:text-ink',
}

/** A button below a message's text. If it disappears while it has the focus, its row gets the focus. */
export function ChipButton({ isOn = false, ...button }: ComponentProps<'button'> & { isOn?: boolean }) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = ref
    const row = current?.closest('article')
    return () => {
      if (document.activeElement === current) row?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div className="pt-1 pb-0.5 pointer-coarse:py-1.5">
      <button
        ref={ref}
        type="button"
        onMouseDown={keepFocus}
        className={`relative inline-flex h-6 items-center gap-1.5 rounded-full border px-2 font-[550] text-meta transition-colors after:absolute after:-inset-x-0.5 after:content-[''] aria-disabled:opacity-50 pointer-coarse:h-8 pointer-coarse:after:-inset-y-1.5 ${variants[isOn ? 'on' : 'off']}`}
        {...button}
      />
    </div>
  )
}
