import { useQuery } from '@tanstack/react-query'
import { Hash, Lock, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { dateFormat } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { allUsers } from '../../../people/user-queries.ts'
import { useIsLive } from '../../../socket/first-connection.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { PairOfFaces } from '../../../ui/faces.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { relativeDay } from '../../../ui/format/clock-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Names } from '../../../ui/names.tsx'
import { othersIn } from '../cache/channel-title.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { beginningText } from './beginning-text.ts'

const DATE = { month: 'long', day: 'numeric' } as const
const DATE_OF_ANOTHER_YEAR = { ...DATE, year: 'numeric' } as const

interface Props {
  channel: Channel
  onAct: (act: ChannelAct, channelId: string) => void
  /** Further first steps, besides inviting people and adding a topic. */
  children?: ReactNode
}

/** Shown above the first message of a conversation: what it is, and first steps. */
export function ChannelBeginning({ channel, onAct, children }: Props) {
  const me = useMe()
  const { id, kind, ownerId, createdAt, topic, isGeneral } = channel
  const { data: people } = useQuery({ ...allUsers, enabled: useIsLive() })
  const owner = people?.find((person) => person.id === ownerId)?.name
  const text = useLiveText(() => beginningText(channel, me.id, owner, dayInSentence(createdAt)).join(' '))
  const others = othersIn(channel, me.id)
  const canInvite = can.inviteTo(me, channel) && !isGeneral
  const canAddTopic = kind !== 'direct' && can.editChannel(me, channel) && !topic
  return (
    <div className="conversation-column px-(--gutter) pt-6 pb-3">
      <Sign channel={channel} />
      {/* Not a heading: the page's heading has the same text. */}
      <p className="mt-3 font-[650] text-title leading-tight tracking-[-0.015em] [overflow-wrap:anywhere]">
        {kind === 'direct' ? <Names of={others} isTitled={false} wraps /> : <bdi>{`#${channel.name}`}</bdi>}
      </p>
      <p className="mt-1.5 max-w-(--measure) text-soft [overflow-wrap:anywhere]">{text}</p>
      {(canInvite || canAddTopic) && (
        <p className="mt-4 flex flex-wrap gap-2">
          {canInvite && (
            <Button variant="line" aria-haspopup="dialog" onClick={() => onAct('invite', id)}>
              {t('channels.invitePeople')}
            </Button>
          )}
          {canAddTopic && (
            <Button variant="line" aria-haspopup="dialog" onClick={() => onAct('topic', id)}>
              {t('channels.addTopic')}
            </Button>
          )}
        </p>
      )}
      {children}
    </div>
  )
}

function Sign({ channel }: { channel: Channel }) {
  const others = othersIn(channel, useMe().id)
  const [other, another] = others
  if (channel.kind === 'direct' && another) return <PairOfFaces of={others} size="xl" />
  if (channel.kind === 'direct' && other) return <Avatar id={other.id} name={other.name} size="xl" />
  const Icon = channel.kind === 'direct' ? Users : channel.isPrivate ? Lock : Hash
  return (
    <span aria-hidden="true" className="grid size-14 place-items-center rounded-xl bg-pine-wash text-pine">
      <Icon size={28} />
    </span>
  )
}

/** 'today', 'yesterday', or 'November 12'. */
function dayInSentence(time: string) {
  const date = new Date(time)
  const now = new Date(serverNow())
  const format = date.getFullYear() === now.getFullYear() ? DATE : DATE_OF_ANOTHER_YEAR
  return relativeDay(date, now) ?? dateFormat(format).format(date)
}
