import { type ReactNode, useRef } from 'react'
import { useAtRest } from '../../../api-client/use-page-idle.ts'
import { Late } from '../../../ui/lazy/lazy.tsx'

interface Props {
  name: string
  children: ReactNode
}

const aids = () => import('./sidebar-aids.tsx')

/** The sidebar's view of its rows; where unread ones are out of it, it says so and leads to the next. */
export function UnreadScroller({ name, children }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const isAtRest = useAtRest()
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <nav ref={scroller} aria-label={name} className="min-h-0 flex-1 overflow-y-auto px-2 py-3">
        {children}
      </nav>
      {isAtRest && <Late load={aids} scroller={scroller} />}
    </div>
  )
}
