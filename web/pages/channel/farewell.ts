import { isInUse } from './in-use.ts'

/** Resolves when an element and its content have finished their transitions; at once under reduced motion. */
export async function untilStill(element: Element | null) {
  await new Promise(requestAnimationFrame)
  await Promise.allSettled((element?.getAnimations({ subtree: true }) ?? []).map(({ finished }) => finished))
}

const isPointedAt = () => matchMedia('(hover: hover)').matches && document.querySelector('main article:hover') !== null

/** Resolves when no message is pointed at or in use, or when the user types: what is below may then change its height. */
export function untilUnread(): Promise<void> {
  if (!isPointedAt() && !isInUse()) return Promise.resolve()
  return new Promise((resolve) => {
    const done = new AbortController()
    const check = ({ type }: Event) => {
      if (type !== 'keydown' && (isPointedAt() || isInUse())) return
      done.abort()
      resolve()
    }
    for (const type of ['pointermove', 'pointerup', 'focusin', 'keydown'])
      document.addEventListener(type, check, { signal: done.signal, passive: true })
  })
}
