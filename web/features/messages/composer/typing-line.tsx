import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#contract/users'
import { rich, t } from '../../../i18n/text.ts'
import { Faces } from '../../../ui/faces.tsx'
import { TypingDots } from '../content/typing-dots.tsx'
import { typingIn } from '../sync/typing-users.ts'

interface Props {
  channelId: string
  threadId: string | null
}

/** The users who are typing here. Screen readers announce only the first one. */
export default function TypingLine({ channelId, threadId }: Props) {
  const { data: typing = [] } = useQuery(typingIn(channelId, threadId))
  const users = typing.map(({ user }) => user)
  const [first] = users
  const [announced, setAnnounced] = useState<User>()
  if ((announced === undefined) !== (first === undefined)) setAnnounced(first)
  return (
    <>
      {users.length > 0 && (
        <p className="flex min-w-0 flex-1 animate-appear items-center gap-1.5 text-faint">
          <TypingDots />
          <Faces of={users} size="xs" />
          <Names users={users} />
        </p>
      )}
      <span aria-live="polite" className="sr-only">
        {announced && t('messages.typing.started', { name: announced.name })}
      </span>
    </>
  )
}

function Names({ users }: { users: User[] }) {
  const [first, second, third] = users
  if (third || !first) return t('messages.typing.many')
  return (
    <span className="min-w-0 flex-1 truncate">
      {second
        ? rich('messages.typing.two', { first: <Name user={first} />, second: <Name user={second} /> })
        : rich('messages.typing.one', { name: <Name user={first} /> })}
    </span>
  )
}

/** Narrow enough for two long names and the verb. */
const Name = ({ user }: { user: User }) => (
  <bdi className="inline-block max-w-[38%] truncate align-bottom font-[550] text-soft" title={`@${user.username}`}>
    {user.name}
  </bdi>
)
