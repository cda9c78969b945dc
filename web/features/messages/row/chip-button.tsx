import { type ComponentProps, type MouseEvent, useLayoutEffect, useRef } from 'react'

const looks = {
  on: 'border-[color-mix(in_oklch,var(--pine)_45%,transparent)] bg-pine-wash text-pine-strong hover:border-pine',
  off: 'border-line bg-paper text-soft hover:border-line-strong hover:text-ink',
}

/** Who writes goes on writing after a click. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** What can be done with a message all the time, below its text. When it goes away, its row has the focus it had. */
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
    <div className="pt-1 pb-0.5 pointer-coarse:py-2.5">
      <button
        ref={ref}
        type="button"
        onMouseDown={keepFocus}
        className={`relative inline-flex h-6 items-center gap-1.5 rounded-full border px-2 font-[550] text-meta transition-colors after:absolute after:-inset-x-0.5 after:content-[''] aria-disabled:opacity-50 pointer-coarse:after:-inset-y-2.5 ${looks[isOn ? 'on' : 'off']}`}
        {...button}
      />
    </div>
  )
}
