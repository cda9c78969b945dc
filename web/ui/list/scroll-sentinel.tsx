import { useEffect, useRef } from 'react'
import { scrollerOf } from './rows-in-view.ts'

/** How far below the view the end of a list is noticed: one and a half heights of it. */
const MARGIN = '150%'

/** Stands at the end of a list and says when the reader comes near it, each time it is rendered anew with another key. */
export function ScrollSentinel({ onNear }: { onNear: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(onNear)
  useEffect(() => {
    latest.current = onNear
  })
  useEffect(() => {
    const element = end.current as HTMLDivElement
    const heard = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    }
    const observer = new IntersectionObserver(heard, { root: scrollerOf(element), rootMargin: `0px 0px ${MARGIN} 0px` })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return <div ref={end} aria-hidden="true" />
}
