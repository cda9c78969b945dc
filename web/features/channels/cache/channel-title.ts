import type { Channel } from '#contract/channels'

/** The people of a direct message besides me. */
export const othersIn = ({ members }: Channel, me: string) => members.filter(({ id }) => id !== me)

/** A conversation's name in a sentence or a title. */
export function titleOf(channel: Channel, me: string) {
  if (channel.kind !== 'direct') return `#${channel.name}`
  const others = othersIn(channel, me)
  return others.length === 1 ? `@${others[0]?.name}` : others.map(({ name }) => name).join(', ')
}
