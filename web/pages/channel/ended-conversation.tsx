import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#contract/channels'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { useUnsent } from '../../features/messages/outbox/draft-list.ts'
import { UnsentList } from '../../features/messages/outbox/unsent-list.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/input/button.tsx'
import type { Ended } from './use-leave-ended-channel.ts'

interface Props {
  channelId: string
  /** How it ended; nothing where it was not there from the beginning. */
  ended: Ended | undefined
  /** The channel, where it can be read again. */
  back: Channel | undefined
  onBack: () => void
}

/**
 * Stands in the place of a conversation that is there no more: says so, and keeps what was written for it. It takes no
 * focus, so that what somebody is typing goes nowhere. Lazy-loaded.
 */
export default function EndedConversation({ channelId, ended, back, onBack }: Props) {
  const { title, more } = ended ? textOf(ended) : missing
  const unsent = useUnsent(channelId)
  const { data: channels } = useQuery(sharedChannels)
  const general = channels?.find(({ isGeneral }) => isGeneral)
  return (
    <section
      aria-label={title}
      data-region=""
      tabIndex={-1}
      className="grid min-h-0 flex-1 overflow-y-auto overscroll-contain px-(--gutter) py-6 outline-none"
    >
      <div className="m-auto w-full max-w-[560px]">
        <div className="text-center">
          <Said>
            <h1 className="font-[620] [overflow-wrap:anywhere]">{title}</h1>
            <p className="mt-1 text-soft text-ui">{more}</p>
          </Said>
          <p className="mt-4 flex flex-wrap justify-center gap-2">
            {back && (
              <Button look="pine" onClick={onBack}>
                {back.isMember ? 'Open' : 'Preview'} #{back.name}
              </Button>
            )}
            {general && (
              <Link
                to={paths.channel(general.id)}
                className="inline-flex h-8 items-center justify-center rounded-s border border-line-strong bg-paper px-3 font-[550] text-ink text-ui hover:bg-hover active:bg-press pointer-coarse:min-h-11"
              >
                Go to #{general.name}
              </Link>
            )}
          </p>
        </div>
        {unsent.length > 0 && (
          <>
            <h2 className="mt-8 mb-2 font-[600] text-soft text-ui">Not sent yet</h2>
            <UnsentList label="Not sent" items={unsent} />
          </>
        )}
      </div>
    </section>
  )
}

/** Assistive technology reads what comes into a place that was there before. */
function Said({ children }: { children: ReactNode }) {
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return <div role="status">{isThere && children}</div>
}

const missing = {
  title: 'Channel not found',
  more: 'It was deleted, or it is private and you are not a member.',
}

/** Nothing in it that somebody who is not in the channel may not know. */
function textOf({ why, channel: { name, isMember } }: Ended) {
  if (why === 'deleted') return { title: `#${name} was deleted`, more: 'All its messages were deleted for everyone.' }
  if (why === 'closed' || !isMember) return { title: `#${name} is private now`, more: 'Only its members can read it.' }
  return { title: `You are no longer in #${name}`, more: 'You were removed, or left it in another window.' }
}
