import { useRef } from 'react'
import type { Message } from '#contract/messages'
import { usePreference } from '../../../browser/preferences.ts'
import { isStreaming } from '../sync/answer-progress.ts'

/** Tells those who do not see the list what others say; the list itself is silent, because scrolling changes it too. */
export function Arrivals({ messages, me }: { messages: Message[]; me: string }) {
  const announce = usePreference('announce')
  const last = messages.at(-1)
  const opened = useRef(last?.seq ?? 0)
  const isNews = last && !last.deletedAt && last.seq > opened.current && last.userId !== me
  const news = isNews && (announce === 'all' || (announce === 'mentions' && callsMe(last, me))) ? last : undefined
  return (
    <p aria-live="polite" className="sr-only">
      {/* By its key another one is read out, even when it says the same. */}
      {news && (
        <span key={news.id}>{`${news.user.name}${isStreaming(news) ? ' is thinking' : `: ${wordsOf(news)}`}`}</span>
      )}
    </p>
  )
}

const callsMe = ({ broadcast, mentions }: Message, me: string) =>
  broadcast !== null || mentions.some(({ userId }) => userId === me)

const wordsOf = ({ content, files }: Message) => content || files.map(({ name }) => name).join(', ')
