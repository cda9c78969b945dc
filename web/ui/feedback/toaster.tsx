import { type CSSProperties, useEffect, useState } from 'react'
import { Toaster as Base, toast } from 'sonner'
import { t } from '../../i18n/text.ts'

export interface ToastOptions {
  /** A button, such as 'Undo'. */
  action?: { name: string; act: () => void }
  /** The timer pauses while the toast has the pointer or the focus. */
  durationMs?: number
  /** Above the messages, for one that must not cover the newest. */
  isAtTop?: boolean
}

/** Shows a toast. Returns a function that dismisses it. */
export type ShowToast = (text: string, options: ToastOptions) => () => void

const DURATION_MS = 6000
const GAP_PX = 12
const MAX_WIDTH_PX = 380

/**
 * Shows toasts at the bottom of the conversation, above the composer and what floats there. Dialogs cover the toasts, except
 * for full-page ones, behind which nobody would see them.
 */
export default function Toaster({ onReady }: { onReady: (show: ShowToast) => void }) {
  const { left, top, bottom, width } = usePlace()
  useEffect(() => onReady(show), [onReady])
  // They would return for whoever signs in next, with texts and actions of the former user.
  useEffect(() => () => void toast.dismiss(), [])
  const offset = { top, bottom }
  const style = { '--width': `${width}px`, left, right: 'auto', width, transform: 'none' } as CSSProperties
  return (
    <Base
      expand
      position="bottom-center"
      containerAriaLabel={t('settings.notifications')}
      offset={offset}
      mobileOffset={offset}
      gap={8}
      className="z-20! max-wide:z-45! max-wide:[body:has([data-question])_&]:z-20! [body:has([data-covers-page])_&]:z-45!"
      style={style}
      toastOptions={{ unstyled: true, classNames }}
    />
  )
}

const classNames = {
  toast:
    'inset-x-0! mx-auto flex w-fit! max-w-full items-center gap-2 rounded-m border border-line bg-raised py-1.5 ps-3 pe-3 has-[button]:pe-1.5 font-sans text-ink text-ui shadow-float! duration-(--calm)! focus-visible:outline-2! focus-visible:outline-pine!',
  content: 'min-w-0 flex-1 py-1',
  title: 'text-pretty leading-5 [overflow-wrap:anywhere]',
  actionButton:
    'h-7 flex-none rounded-s px-2 font-[600] text-pine transition-colors hover:bg-hover active:bg-press pointer-coarse:h-11 pointer-coarse:px-3',
}

/** Measures the position of toasts; set by the mounted toaster. */
let measureNow = () => {}

const show: ShowToast = (text, { action, durationMs = DURATION_MS, isAtTop }) => {
  measureNow()
  const act = () => {
    // Returns the focus to where it was, before the action moves it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    action?.act()
  }
  const id = toast(text, {
    duration: durationMs,
    ...(isAtTop && { position: 'top-center' }),
    ...(action && { action: { label: action.name, onClick: act } }),
  })
  return () => void toast.dismiss(id)
}

/** The position of toasts, measured when one is shown and when the composer or the window changes. */
function usePlace() {
  const [place, setPlace] = useState(measure)
  useEffect(() => {
    const sizes = new ResizeObserver(update)
    function update() {
      setPlace((before) => {
        const now = measure()
        return Object.entries(now).every(([key, value]) => before[key as keyof typeof now] === value) ? before : now
      })
      const composer = findComposer()
      if (composer) sizes.observe(composer)
    }
    update()
    measureNow = update
    addEventListener('resize', update)
    return () => {
      sizes.disconnect()
      removeEventListener('resize', update)
    }
  }, [])
  return place
}

const findComposer = () => document.querySelector('main .composer-place:not(aside *)')

function measure() {
  const composer = findComposer()
  const whole = (composer ?? document.querySelector('main') ?? document.documentElement).getBoundingClientRect()
  const floating = [...document.querySelectorAll('main [data-above-composer]')]
  const floor = Math.min(
    composer ? whole.top : Math.min(whole.bottom, innerHeight),
    ...floating.map((it) => it.getBoundingClientRect().top),
  )
  const header = document.querySelector('main header:not(aside *)')
  const width = Math.min(MAX_WIDTH_PX, Math.round(whole.width - 2 * GAP_PX))
  return {
    left: Math.round(whole.left + (whole.width - width) / 2),
    top: Math.round(header?.getBoundingClientRect().bottom ?? 0) + GAP_PX,
    bottom: Math.round(innerHeight - floor + GAP_PX),
    width,
  }
}
