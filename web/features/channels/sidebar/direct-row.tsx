import { memo, type ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import type { Profile } from '#contract/users'
import { useLanguage } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { AvailabilitySign } from '../../../people/availability-sign.tsx'
import { DirectMark } from '../../../people/direct-mark.tsx'
import { CurrentEmoji } from '../../../people/status-emoji.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Names } from '../../../ui/names.tsx'
import { PresenceDot } from '../../../ui/presence-dot.tsx'
import { isWithAssistant } from '../cache/channel-queries.ts'
import { namesOf, othersIn } from '../cache/channel-title.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { ConversationRow } from './conversation-row.tsx'
import { MemberCount } from './member-count.tsx'
import { RowEnd } from './row-end.tsx'

interface Props {
  channel: Channel
  me: string
  /** Renders a mark in place of the count, such as the pencil of a draft. */
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

export const DirectRow = memo(function DirectRow({ channel, me, renderMark, onAct }: Props) {
  useLanguage()
  const others = othersIn(channel, me)
  const [other] = others
  const isGroup = others.length > 1
  const isAssistant = isWithAssistant(channel)
  const hasStatus = !isGroup && !isAssistant && other !== undefined
  return (
    <ConversationRow channel={channel} name={namesOf(others)} onAct={onAct}>
      <RowIcon others={others} isAssistant={isAssistant} />
      <Names of={others} isShort={isGroup} isTitled={!isAssistant} />
      {!isGroup && !isAssistant && (
        <span className="sr-only">{other?.status === 'offline' ? t('people.offline') : t('people.online')}</span>
      )}
      <RowEnd channel={channel} always={hasStatus && <PersonSigns person={other} />}>
        {renderMark(channel.id)}
        {isGroup && <MemberCount count={channel._count.members} />}
      </RowEnd>
    </ConversationRow>
  )
})

const PersonSigns = ({ person }: { person: Profile }) => (
  <>
    <AvailabilitySign person={person} />
    <CurrentEmoji person={person} />
  </>
)

function RowIcon({ others, isAssistant }: { others: readonly Profile[]; isAssistant: boolean }) {
  if (isAssistant) return <Avatar id={ASSISTANT} name="" size="xs" />
  const [other, another] = others
  return (
    <span className="relative -m-0.5 grid size-5 flex-none place-items-center">
      <DirectMark others={others} />
      {other && !another && (
        <span className="-end-1 -bottom-1 absolute grid size-3 place-items-center rounded-full bg-sunk">
          <PresenceDot isOnline={other.status !== 'offline'} />
        </span>
      )}
    </span>
  )
}
