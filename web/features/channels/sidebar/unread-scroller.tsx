import { type ReactNode, useRef } from 'react'
import { usePageIdle } from '../../../api-client/use-page-idle.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'

interface Props {
  name: string
  children: ReactNode
}

const aids = () => import('./sidebar-aids.tsx')

/** The scrolling part of the sidebar. It shows when unread rows are out of view, with buttons to the next one. */
export function UnreadScroller({ name, children }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const isPageIdle = usePageIdle()
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <nav ref={scroller} aria-label={name} className="min-h-0 flex-1 overflow-y-auto px-2 py-3 max-wide:pt-1">
        {children}
      </nav>
      {isPageIdle && <Lazy load={aids} isOptional scroller={scroller} />}
    </div>
  )
}
