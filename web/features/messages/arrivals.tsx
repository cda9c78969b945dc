import { useRef } from 'react'
import type { Message } from '#contract/messages'
import { isGrowing } from './growing.ts'

/** Tells those who do not see the list what others say; the list itself is silent, because scrolling changes it too. */
export function Arrivals({ messages, me }: { messages: Message[]; me: string }) {
  const last = messages.at(-1)
  const opened = useRef(last?.seq ?? 0)
  const news = last && !last.deletedAt && last.seq > opened.current && last.userId !== me ? last : undefined
  return (
    <p aria-live="polite" className="sr-only">
      {news && `${news.user.name}${isGrowing(news) ? ' is thinking' : `: ${news.content}`}`}
    </p>
  )
}
