import { type RefObject, useEffect, useState } from 'react'
import { scrollerOf } from './rows-in-view.ts'

/** Whether an element is in view in its scroller. */
export function useIsInView(ref: RefObject<HTMLElement | null>) {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const element = ref.current as HTMLElement
    const onIntersect = (entries: IntersectionObserverEntry[]) => setInView(entries.at(-1)?.isIntersecting ?? false)
    const observer = new IntersectionObserver(onIntersect, { root: scrollerOf(element) })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return isInView
}
