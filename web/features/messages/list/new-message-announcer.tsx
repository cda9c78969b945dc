import { useRef } from 'react'
import type { Message } from '#contract/messages'
import { usePreference } from '../../../browser/preferences.ts'
import { mentionsMe } from '../../../cache/read-cursor.ts'
import { isStreaming } from '../sync/answer-progress.ts'

/** Announces messages of others to screen readers. The list itself is no live region, because scrolling changes it too. */
export function NewMessageAnnouncer({ messages, me }: { messages: Message[]; me: string }) {
  const announce = usePreference('announce')
  const last = messages.at(-1)
  const opened = useRef(last?.seq ?? 0)
  const isNews = last && !last.deletedAt && last.seq > opened.current && last.userId !== me
  const news = isNews && (announce === 'all' || (announce === 'mentions' && mentionsMe(last, me))) ? last : undefined
  return (
    <p aria-live="polite" className="sr-only">
      {/* The key makes screen readers announce a second message with the same text. */}
      {news && (
        <span
          key={news.id}
        >{`${news.user.name}${isStreaming(news) ? ' is thinking' : `: ${announcedText(news)}`}`}</span>
      )}
    </p>
  )
}

const announcedText = ({ content, files }: Message) => content || files.map(({ name }) => name).join(', ')
