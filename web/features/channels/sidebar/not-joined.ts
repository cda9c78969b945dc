import type { Channel } from '#contract/channels'
import { usePreference } from '../../../browser/preferences.ts'
import { useMe } from '../../../me.tsx'

/** Whoever has joined fewer channels sees the others at first. */
const NEWCOMER_CHANNELS = 3

/** Decided once per page, because the list should not fold while a newcomer joins channels. */
let initial: { meId: string; isShown: boolean } | undefined

/** Whether the list of channels that I have not joined is unfolded. */
export function useIsNotJoinedShown(joined: readonly Channel[] | undefined) {
  const me = useMe()
  const choice = usePreference('notJoined')
  if (choice !== 'auto') return choice === 'shown'
  if (joined && initial?.meId !== me.id) initial = { meId: me.id, isShown: joined.length < NEWCOMER_CHANNELS }
  return initial?.isShown ?? false
}

/** The open channel is seen even in a folded list. */
export const seenChannels = (channels: readonly Channel[], isShown: boolean, openId: string | undefined) =>
  isShown ? channels : channels.filter(({ id }) => id === openId)
