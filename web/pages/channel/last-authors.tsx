import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { isDeletedUsername } from '#contract/deleted-usernames'
import { ASSISTANT } from '#contract/ids'
import type { Face } from '#contract/users'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import type { MessageWindow } from '../../features/messages/sync/message-window.ts'
import { Faces } from '../../ui/faces.tsx'

const MAX_FACES = 3

/** The last people who wrote in a channel, the latest first, as far as its messages are loaded; undefined if its end isn't. */
export function lastAuthorsOf({ messages, hasNewer }: Pick<MessageWindow, 'messages' | 'hasNewer'>) {
  if (hasNewer) return undefined
  const authors = new Map<string, Face>()
  for (const { user, deletedAt } of messages.toReversed()) {
    if (authors.size === MAX_FACES) break
    if (user.id === ASSISTANT || isDeletedUsername(user.username) || deletedAt || authors.has(user.id)) continue
    authors.set(user.id, user)
  }
  return [...authors.values()]
}

/**
 * Their faces, or those last known, before the word 'Members'; as wide as three of them, so that nothing moves when they are
 * known. Give it the channel as a key.
 */
export function LastAuthors({ channelId }: { channelId: string }) {
  const { data } = useQuery({ ...messagesIn(channelId), enabled: false, select: lastAuthorsOf })
  const [authors, setAuthors] = useState<readonly Face[]>([])
  if (data && data !== authors) setAuthors(data)
  return (
    <span aria-hidden="true" className="flex w-16 justify-end">
      {authors.length === 0 ? <Users size={16} /> : <Faces of={authors} size="s" />}
    </span>
  )
}
