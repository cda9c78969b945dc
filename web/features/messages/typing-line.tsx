import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#contract/users'
import { typingIn } from './typing.ts'

interface Props {
  channelId: string
  threadId: string | null
}

/** Who is writing here. It is said aloud when somebody begins, not again for each who joins in. */
export function TypingLine({ channelId, threadId }: Props) {
  const { data: typing = [] } = useQuery(typingIn(channelId, threadId))
  const users = typing.map(({ user }) => user)
  const [begun, setBegun] = useState('')
  if ((begun === '') !== (users.length === 0)) setBegun(sentence(users))
  return (
    <>
      {users.length > 0 && (
        <p aria-hidden="true" className="flex min-w-0 animate-appear items-center gap-1.5 text-faint">
          <Dots />
          <Names users={users} />
        </p>
      )}
      <span aria-live="polite" className="sr-only">
        {begun}
      </span>
    </>
  )
}

function Names({ users }: { users: User[] }) {
  const [first, second] = users
  if (users.length > 2) return 'Several people are typing'
  return (
    <span className="flex min-w-0 gap-1 whitespace-nowrap">
      {first && <Name user={first} />}
      {second && <>and {<Name user={second} />}</>}
      <span>{second ? 'are' : 'is'} typing</span>
    </span>
  )
}

const Name = ({ user }: { user: User }) => (
  <bdi className="truncate font-[550] text-soft" title={`@${user.username}`}>
    {user.name}
  </bdi>
)

function sentence([first, second, third]: User[]) {
  if (!first) return ''
  if (third) return 'Several people are typing'
  return second ? `${first.name} and ${second.name} are typing` : `${first.name} is typing`
}

const Dots = () => (
  <span className="flex gap-[3px]">
    {['opacity-40', 'opacity-70 [animation-delay:200ms]', '[animation-delay:400ms]'].map((look) => (
      <span key={look} className={`size-1 rounded-full bg-faint motion-safe:animate-pulse ${look}`} />
    ))}
  </span>
)
