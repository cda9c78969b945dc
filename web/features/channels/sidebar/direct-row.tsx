import { Users } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { DEFAULT_STATUS } from '#contract/users'
import { useLanguage } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
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
  const status = isGroup || isAssistant || other?.user_status === DEFAULT_STATUS ? undefined : other?.user_status
  return (
    <ConversationRow channel={channel} name={namesOf(others)} onAct={onAct}>
      <RowIcon isGroup={isGroup} isAssistant={isAssistant} isOnline={other?.status !== 'offline'} />
      <Names of={others} isShort={isGroup} isTitled={!isAssistant} />
      {!isGroup && !isAssistant && (
        <span className="sr-only">{other?.status === 'offline' ? t('people.offline') : t('people.online')}</span>
      )}
      <RowEnd channel={channel} always={status && <span className="text-body leading-none">{status}</span>}>
        {renderMark(channel.id)}
        {isGroup && <MemberCount count={channel._count.members} />}
      </RowEnd>
    </ConversationRow>
  )
})

function RowIcon({ isGroup, isAssistant, isOnline }: Record<'isGroup' | 'isAssistant' | 'isOnline', boolean>) {
  if (isGroup) return <Users size={16} />
  if (isAssistant) return <Avatar id={ASSISTANT} name="" size="xs" />
  return (
    <span className="grid size-4 flex-none place-items-center">
      <PresenceDot isOnline={isOnline} />
    </span>
  )
}
