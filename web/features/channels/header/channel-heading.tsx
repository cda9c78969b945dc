import { AtSign, Hash, Lock, UserPlus, Users } from 'lucide-react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { useMe } from '../../../me.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Names } from '../../../ui/names.tsx'
import { PresenceDot } from '../../../ui/presence-dot.tsx'
import { isWithAssistant } from '../cache/channel-queries.ts'
import { othersIn, titleOf } from '../cache/channel-title.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useChannelMenu } from '../menu/use-channel-menu.tsx'
import { HeaderButton } from './header-button.tsx'

interface Props {
  channel: Channel
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The title of a channel in the page header, and the buttons for its members. */
export function ChannelHeading({ channel, onAct }: Props) {
  return (
    <>
      <Title channel={channel} onAct={onAct} />
      {channel.kind !== 'direct' && <PeopleButtons channel={channel} onAct={onAct} />}
    </>
  )
}

/** The name also opens the channel's menu: on touch devices there is no other button for it outside the sidebar. */
function Title({ channel, onAct }: Props) {
  const me = useMe()
  const { kind, isPrivate, topic } = channel
  const title = titleOf(channel, me.id)
  const { trigger, menu } = useChannelMenu(channel, title, onAct)
  return (
    <>
      {kind === 'private' && <span className="sr-only">Private channel</span>}
      <h1 className="flex min-w-0 @min-[30rem]:wide:max-w-[50%] @min-[30rem]:wide:flex-none flex-1">
        <button
          type="button"
          className="-mx-1.5 flex h-8 min-w-0 items-center gap-1.5 rounded-s px-1.5 font-[650] text-head tracking-[-0.01em] transition-colors hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-11"
          {...trigger}
        >
          {kind === 'direct' ? (
            <DirectName channel={channel} />
          ) : (
            <ChannelName name={channel.name} isPrivate={isPrivate} />
          )}
        </button>
      </h1>
      {menu}
      {kind === 'direct' && <Presence channel={channel} />}
      {topic && (
        <p
          dir="auto"
          className="ms-1 hidden min-w-0 truncate border-line-strong border-s ps-3 text-faint text-ui @min-[30rem]:wide:block"
          title={topic}
        >
          {topic}
        </p>
      )}
    </>
  )
}

function ChannelName({ name, isPrivate }: { name: string; isPrivate: boolean }) {
  const Icon = isPrivate ? Lock : Hash
  return (
    <>
      <Icon size={18} />
      <span className="sr-only">#</span>
      <bdi className="truncate" title={name}>
        {name}
      </bdi>
    </>
  )
}

function DirectName({ channel }: { channel: Channel }) {
  const others = othersIn(channel, useMe().id)
  const isGroup = others.length > 1
  const Icon = isGroup ? Users : AtSign
  return (
    <>
      {isWithAssistant(channel) ? <Avatar id={ASSISTANT} name="" size="s" /> : <Icon size={18} />}
      {!isGroup && <span className="sr-only">@</span>}
      <Names of={others} />
    </>
  )
}

/** The presence and status of the other person in a direct message for two. The assistant has none. */
function Presence({ channel }: { channel: Channel }) {
  const [other, another] = othersIn(channel, useMe().id)
  if (!other || another || other.id === ASSISTANT) return null
  return (
    <p className="flex flex-none items-center gap-2">
      <PresenceDot isOnline={other.status !== 'offline'} />
      <span className="sr-only">{other.status}</span>
      <span className="leading-none">{other.user_status}</span>
    </p>
  )
}

function PeopleButtons({ channel, onAct }: Props) {
  const open = (act: ChannelAct) => () => onAct(act, channel.id)
  return (
    <div className="ms-auto flex flex-none items-center gap-1 wide:gap-2">
      {channel.kind === 'private' && can.inviteTo(channel) && (
        <HeaderButton icon={UserPlus} name="Invite" onClick={open('invite')} />
      )}
      <HeaderButton icon={Users} name="Members" onClick={open('members')}>
        <span className="font-[400] text-faint tabular-nums">{channel._count.members}</span>
      </HeaderButton>
    </div>
  )
}
