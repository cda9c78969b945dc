import { ChevronDown, Ellipsis, Hash, Lock, Pin, Search, UserPlus, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { shortcutLabel } from '../../../browser/shortcuts.ts'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { formatNumber } from '../../../i18n/format.ts'
import { rich, t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { AvailabilitySign } from '../../../people/availability-sign.tsx'
import { useCurrentStatus } from '../../../people/current-status.ts'
import { DirectMark } from '../../../people/direct-mark.tsx'
import { NamesakeHandle } from '../../../people/namesake-handle.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Names } from '../../../ui/names.tsx'
import { PresenceDot } from '../../../ui/presence-dot.tsx'
import { othersIn, titleOf } from '../cache/channel-title.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useChannelMenu } from '../menu/use-channel-menu.tsx'
import { HeaderButton } from './header-button.tsx'

interface Props {
  channel: Channel
  onAct: (act: ChannelAct, channelId: string) => void
}

interface HeadingProps extends Props {
  /** Shown before the word 'Members' where there is room. */
  faces: ReactNode
  onSearch: () => void
  /** On a phone they are in the channel's menu. */
  pins: { areOpen: boolean; toggle: () => void }
}

/** A channel's part of the page header: title, topic, search, pins and the buttons for its members. */
export function ChannelHeading({ channel, faces, onAct, onSearch, pins }: HeadingProps) {
  return (
    <>
      <Title channel={channel} onAct={onAct} />
      <Topic channel={channel} onAct={onAct} />
      <div className="ms-auto flex flex-none items-center gap-1 wide:gap-2">
        <IconButton
          name={t('channels.search')}
          keys={shortcutLabel('searchHere')}
          aria-haspopup="dialog"
          className="size-8 max-wide:hidden"
          onClick={onSearch}
        >
          <Search size={16} />
        </IconButton>
        <IconButton
          name={t('messages.pins.title')}
          aria-expanded={pins.areOpen}
          className="size-8 aria-expanded:bg-press aria-expanded:text-ink max-wide:hidden"
          onClick={pins.toggle}
        >
          <Pin size={16} />
        </IconButton>
        {channel.kind !== 'direct' && <PeopleButtons channel={channel} faces={faces} onAct={onAct} />}
      </div>
    </>
  )
}

/** The name also opens the channel's menu: on touch devices there is no other button for it outside the sidebar. */
function Title({ channel, onAct }: Props) {
  const me = useMe()
  const { kind, isPrivate } = channel
  const title = titleOf(channel, me.id)
  const { trigger, menu } = useChannelMenu(channel, title, onAct)
  const partner = partnerIn(channel, me.id)
  return (
    <>
      {kind === 'private' && <span className="sr-only">{t('channels.privateChannel')}</span>}
      <h1
        className={`flex min-w-0 @min-[30rem]:wide:max-w-[50%] @min-[30rem]:wide:flex-none ${partner ? '' : 'flex-1'}`}
      >
        <button
          type="button"
          className="group -mx-1.5 flex h-8 min-w-0 items-center gap-1.5 rounded-s px-1.5 font-[650] text-head tracking-[-0.01em] transition-colors hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-11"
          {...(partner ? { 'data-person': partner.id, 'aria-haspopup': 'dialog' } : trigger)}
        >
          {kind === 'direct' ? (
            <DirectName channel={channel} />
          ) : (
            <ChannelName name={channel.name} isPrivate={isPrivate} />
          )}
          {!partner && (
            <ChevronDown
              size={14}
              className="-ms-0.5 text-faint transition-colors group-hover:text-ink group-aria-expanded:text-ink"
            />
          )}
        </button>
      </h1>
      {partner && <NamesakeHandle user={partner} className="max-w-60 max-wide:max-w-20" />}
      {partner && <Presence person={partner} />}
      {partner && (
        <IconButton name={t('channels.conversationActions')} {...trigger}>
          <Ellipsis size={16} />
        </IconButton>
      )}
      {menu}
    </>
  )
}

/** Only in a header with room for it. The owner of the channel edits it with a click. */
function Topic({ channel, onAct }: Props) {
  const { id, topic } = channel
  const canEdit = can.editChannel(useMe(), channel)
  if (!topic && !canEdit) return null
  return (
    <div className="ms-0.5 hidden min-w-0 items-center gap-1.5 text-faint text-ui @min-[30rem]:wide:flex">
      <span className="h-4 flex-none border-line-strong border-s" />
      {canEdit ? (
        <button
          type="button"
          aria-haspopup="dialog"
          title={topic}
          className="flex h-8 min-w-0 items-center rounded-s px-1.5 transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11"
          onClick={() => onAct('topic', id)}
        >
          {topic ? (
            rich('channels.editTopic', {
              hidden: (part) => <span className="sr-only">{part}</span>,
              topic: <bdi className="truncate">{topic}</bdi>,
            })
          ) : (
            <span className="truncate">{t('channels.addTopic')}</span>
          )}
        </button>
      ) : (
        <p dir="auto" className="truncate px-1.5" title={topic}>
          {topic}
        </p>
      )}
    </div>
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
  return (
    <>
      <DirectMark others={others} />
      {!isGroup && <span className="sr-only">@</span>}
      <Names of={others} />
    </>
  )
}

/** The other person in a direct message for two. */
function partnerIn(channel: Channel, me: string) {
  const [other, another] = channel.kind === 'direct' ? othersIn(channel, me) : []
  return another ? undefined : other
}

/** The presence and status of a person. The assistant has none. */
function Presence({ person }: { person: Channel['members'][number] }) {
  const { emoji, text } = useCurrentStatus(person)
  if (person.id === ASSISTANT) return null
  const { status } = person
  return (
    <p className="flex flex-none items-center gap-2">
      <PresenceDot isOnline={status !== 'offline'} />
      <span className="sr-only">{status === 'online' ? t('channels.online') : t('channels.offline')}</span>
      <span className="leading-none" title={text || undefined}>
        <EmojiSign emoji={emoji} />
      </span>
      <AvailabilitySign person={person} />
      {text && <bdi className="hidden max-w-60 truncate text-faint text-ui @min-[30rem]:wide:block">{text}</bdi>}
    </p>
  )
}

function PeopleButtons({ channel, faces, onAct }: Omit<HeadingProps, 'onSearch' | 'pins'>) {
  const me = useMe()
  const open = (act: ChannelAct) => () => onAct(act, channel.id)
  return (
    <>
      {channel.kind === 'private' && can.inviteTo(me, channel) && (
        <HeaderButton icon={UserPlus} name={t('channels.invite')} onClick={open('invite')} />
      )}
      <HeaderButton icon={Users} faces={faces} name={t('channels.members')} onClick={open('members')}>
        <span className="font-[400] text-faint tabular-nums">{formatNumber(channel._count.members)}</span>
      </HeaderButton>
    </>
  )
}
