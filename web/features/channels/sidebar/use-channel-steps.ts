import { useQuery } from '@tanstack/react-query'
import { matchPath, useNavigate } from 'react-router'
import type { Channel } from '#contract/channels'
import { paths } from '../../../paths.ts'
import { sidebarSections } from '../cache/channel-queries.ts'
import { isUnread } from '../cache/unread.ts'

/** From a conversation to the next or the previous one of the sidebar, or to one that is unread; after the last comes the first. */
export function useChannelSteps() {
  const { data: sections } = useQuery(sidebarSections)
  const navigate = useNavigate()

  return (by: 1 | -1, among: 'all' | 'unread') => {
    const mayGo = (channel: Channel) => among === 'all' || isUnread(channel)
    // From the address itself: pressed quickly, the keys are ahead of what is drawn.
    const openId = matchPath(paths.channel(':channelId'), location.pathname)?.params.channelId?.toLowerCase()
    const rows = sections ? Object.values(sections).flat() : []
    const next = stepFrom(rows, openId, by, mayGo)
    if (next) void navigate(paths.channel(next.id))
  }
}

/** The first that may be gone to, all around the list, without the one it begins at. */
export function stepFrom<T extends { id: string }>(
  rows: T[],
  openId: string | undefined,
  by: 1 | -1,
  mayGo: (row: T) => boolean,
) {
  const open = rows.findIndex(({ id }) => id === openId)
  const at = by === 1 ? open + 1 : open < 0 ? rows.length : open
  const [before, after] = [rows.slice(0, at), rows.slice(at)]
  const around = by === 1 ? [...after, ...before] : [...before.reverse(), ...after.reverse()]
  return around.find((row) => row.id !== openId && mayGo(row))
}
