import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { ASSISTANT } from '#contract/ids'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import type { MessageWindow } from '../../features/messages/sync/message-window.ts'
import { Avatar } from '../../ui/avatar.tsx'

const MAX_FACES = 3

/** The last people who wrote in a channel, the latest first, as far as its messages are loaded. */
export function lastAuthorsOf({ messages }: Pick<MessageWindow, 'messages'>) {
  const authors = new Map<string, { id: string; name: string }>()
  for (const { user, deletedAt } of messages.toReversed()) {
    if (authors.size === MAX_FACES) break
    if (user.id !== ASSISTANT && !deletedAt && !authors.has(user.id))
      authors.set(user.id, { id: user.id, name: user.name })
  }
  return [...authors.values()]
}

/** Their faces, before the word 'Members'; as wide as three of them, so that nothing moves when they are known. */
export function LastAuthors({ channelId }: { channelId: string }) {
  const { data: authors = [] } = useQuery({ ...messagesIn(channelId), enabled: false, select: lastAuthorsOf })
  return (
    <span aria-hidden="true" className="flex w-12.5 justify-end -space-x-[5px] rtl:space-x-reverse">
      {authors.length === 0 ? (
        <Users size={16} />
      ) : (
        authors.map(({ id, name }) => (
          <span key={id} className="rounded-s shadow-[0_0_0_2px_var(--paper)]">
            <Avatar id={id} name={name} size="s" />
          </span>
        ))
      )}
    </span>
  )
}
