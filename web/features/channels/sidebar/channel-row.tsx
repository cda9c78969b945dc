import { Hash, Lock } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { useLanguage } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { ConversationRow } from './conversation-row.tsx'
import { MemberCount } from './member-count.tsx'
import { RowEnd } from './row-end.tsx'

interface Props {
  channel: Channel
  /** Renders a mark in place of the count, such as the pencil of a draft. */
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

export const ChannelRow = memo(function ChannelRow({ channel, renderMark, onAct }: Props) {
  useLanguage()
  const { name, isPrivate, _count } = channel
  const Icon = isPrivate ? Lock : Hash
  return (
    <ConversationRow channel={channel} name={name} onAct={onAct}>
      <Icon size={16} className="group-aria-[current=page]:text-pine" />
      <bdi className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </bdi>
      {isPrivate && <Tag>{t('channels.private')}</Tag>}
      <RowEnd channel={channel}>
        {renderMark(channel.id)}
        <MemberCount count={_count.members} />
      </RowEnd>
    </ConversationRow>
  )
})
