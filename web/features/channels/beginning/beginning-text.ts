import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { formatList } from '../../../i18n/format.ts'
import { isolate, t } from '../../../i18n/text.ts'
import { othersIn } from '../cache/channel-title.ts'

/**
 * The sentences at the start of a conversation: who owns it, since when, and who can read it.
 * @param owner the owner's name, if known
 * @param day when it was created: 'today', 'yesterday', or a date such as 'November 12'
 */
export function beginningText(channel: Channel, me: string, owner: string | undefined, day: string): string[] {
  if (channel.kind === 'direct') return directText(channel, me)
  const { name, ownerId, isGeneral, isPrivate } = channel
  const start = t('channels.start.channel', { name })
  if (isGeneral) return [start, t('channels.start.everyone')]
  return [
    start,
    ownerText(ownerId === me, owner, day),
    membersText(channel),
    ...(isPrivate ? [t('channels.onlyInvited')] : []),
  ]
}

function ownerText(isMine: boolean, owner: string | undefined, day: string) {
  if (isMine) return t('channels.start.mine', { day })
  return owner ? t('channels.start.owned', { owner, day }) : t('channels.start.created', { day })
}

function membersText({ isMember, _count: { members } }: Channel) {
  if (members === 1 && isMember) return t('channels.nobodyElse')
  return t('channels.start.members', { count: members })
}

function directText(channel: Channel, me: string) {
  const others = othersIn(channel, me)
  const [first] = others
  if (others.length === 1 && first?.id === ASSISTANT) return [t('channels.start.assistant')]
  return [
    t('channels.start.direct', { names: formatList(others.map(({ name }) => isolate(name))) }),
    t('channels.start.readers', { count: others.length + 1 }),
  ]
}
