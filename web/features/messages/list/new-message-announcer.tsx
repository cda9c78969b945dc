import { useRef } from 'react'
import type { Message } from '#contract/messages'
import { usePreference } from '../../../browser/preferences.ts'
import { useIsUnconfirmed } from '../../../browser/unconfirmed.ts'
import { mentionsMe } from '../../../cache/read-cursor.ts'
import { t } from '../../../i18n/text.ts'
import { isStreaming } from '../sync/answer-progress.ts'

/** Announces other users' messages to screen readers. The list can't be the live region, because scrolling changes it. */
export function NewMessageAnnouncer({ messages, me }: { messages: Message[]; me: string }) {
  const announce = usePreference('announce')
  const last = messages.at(-1)
  const opened = useRef(last?.seq ?? 0)
  // Messages from before the page was opened aren't new, even if this device didn't have them.
  if (useIsUnconfirmed()) opened.current = last?.seq ?? 0
  const isNew = last && !last.deletedAt && last.seq > opened.current && last.userId !== me
  const announced =
    isNew && (announce === 'all' || (announce === 'mentions' && mentionsMe(last, me))) ? last : undefined
  return (
    <p aria-live="polite" className="sr-only">
      {/* The key makes screen readers announce a second message with the same text. */}
      {announced && <span key={announced.id}>{announcement(announced)}</span>}
    </p>
  )
}

function announcement(message: Message) {
  const { content, files, user } = message
  if (isStreaming(message)) return t('messages.list.thinking', { name: user.name })
  const text = content || files.map(({ name }) => name).join(t('ui.listComma'))
  return t('messages.list.announced', { name: user.name, text })
}
