import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { Me } from '#contract/users'
import { serverNow } from '../../../ui/format/clock.ts'

/** Why I cannot write in a conversation that I am in; 'deleted' is a thread's parent, without replies. */
export type Silence = 'archived' | 'muted' | 'notPosting' | 'notAllowed' | 'deleted'

/** Undefined if I can. @param isThread whether it is a reply */
export function silenceIn(channel: Channel, me: Me, isThread = false): Silence | undefined {
  if (channel.archivedAt) return 'archived'
  if (isMuted(me)) return 'muted'
  if (isThread ? can.reply(me, channel) : can.post(me, channel)) return undefined
  return channel.posting === 'all' ? 'notAllowed' : 'notPosting'
}

export const isMuted = ({ mutedUntil }: Me) => mutedUntil != null && Date.parse(mutedUntil) > serverNow()
