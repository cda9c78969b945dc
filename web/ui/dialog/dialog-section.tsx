import { type ReactNode, useEffect, useRef } from 'react'
import { isTouch } from '../device/media.ts'

interface Props {
  title: string
  /** Whether the dialog was opened for this section: it is scrolled to, and its first field gets the focus. */
  isSought?: boolean
  children: ReactNode
}

/** A titled section of a dialog, with a line above all but the first. */
export function DialogSection({ title, isSought = false, children }: Props) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isSought && ref.current) return keepInView(ref.current)
  }, [isSought])
  return (
    <section
      ref={ref}
      aria-label={title}
      tabIndex={isSought ? -1 : undefined}
      className="border-line border-t px-6 pt-4 pb-5 outline-none max-wide:px-(--gutter) first-of-type:border-t-0 first-of-type:pt-2"
    >
      <h3 className="mb-3 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{title}</h3>
      {children}
    </section>
  )
}

/** Focuses a section and keeps it in view while content above it loads, until the user does something. */
function keepInView(section: HTMLElement) {
  // On touch devices a field would open the keyboard.
  const field = isTouch() ? null : section.querySelector<HTMLElement>('input, button')
  ;(field ?? section).focus({ preventScroll: true })
  const scroll = () => section.scrollIntoView({ block: 'start' })
  const sizes = new ResizeObserver(scroll)
  for (const it of section.parentElement?.children ?? []) sizes.observe(it)
  const stop = () => sizes.disconnect()
  const acts = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const
  for (const act of acts) addEventListener(act, stop, { once: true, passive: true, capture: true })
  return () => {
    stop()
    for (const act of acts) removeEventListener(act, stop, true)
  }
}
