import { useEffect, useRef } from 'react'
import { scrollerOf } from './rows-in-view.ts'

/** How far below the view the end of a list counts as near, in heights of the view. */
const MARGIN = '150%'

/** Rendered at the end of a list, calls `onNear` when that comes near the view. Give it a new key to be called again. */
export function ScrollSentinel({ onNear }: { onNear: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(onNear)
  useEffect(() => {
    latest.current = onNear
  })
  useEffect(() => {
    const element = end.current as HTMLDivElement
    const onIntersect = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    }
    const observer = new IntersectionObserver(onIntersect, {
      root: scrollerOf(element),
      rootMargin: `0px 0px ${MARGIN} 0px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return <div ref={end} aria-hidden="true" />
}
