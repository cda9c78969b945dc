import type { ChannelFacts } from './channels.ts'

type Membership = { isMember: boolean }

/** Who may do what: pure, so that the guard of the route and the button on the screen cannot disagree. */
export const can = {
  writeIn: (channel: Membership) => channel.isMember,
  joinChannel: (channel: Membership & Pick<ChannelFacts, 'isPrivate'>) => !channel.isPrivate && !channel.isMember,
}
