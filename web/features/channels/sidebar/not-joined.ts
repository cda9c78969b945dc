import type { Channel } from '#contract/channels'
import { usePreference } from '../../../browser/preferences.ts'
import { useMe } from '../../../me.tsx'

/** Someone who has joined fewer channels sees all others at first. */
const NEWCOMER_CHANNELS = 3
/** Longer lists are folded at first. */
const MAX_UNFOLDED = 20

/** Decided once per page, because the list should not fold while a newcomer joins channels. */
let initial: { meId: string; isShown: boolean } | undefined

/** Whether the list of channels that I have not joined is unfolded. */
export function useIsNotJoinedShown(
  lists: { channels: readonly Channel[]; notJoined: readonly Channel[] } | undefined,
) {
  const me = useMe()
  const choice = usePreference('notJoined')
  if (choice !== 'auto') return choice === 'shown'
  if (lists && initial?.meId !== me.id) {
    const isShown = lists.channels.length < NEWCOMER_CHANNELS || lists.notJoined.length <= MAX_UNFOLDED
    initial = { meId: me.id, isShown }
  }
  return initial?.isShown ?? false
}

/** The open channel is shown even in a folded list. */
export const seenChannels = (channels: readonly Channel[], isShown: boolean, openId: string | undefined) =>
  isShown ? channels : channels.filter(({ id }) => id === openId)
