import { useQuery } from '@tanstack/react-query'
import { matchPath, useNavigate } from 'react-router'
import type { Channel } from '#contract/channels'
import { paths } from '../../../paths.ts'
import { sidebarSections } from '../cache/channel-queries.ts'
import { isUnread } from '../cache/unread.ts'
import { seenChannels, useIsNotJoinedShown } from './not-joined.ts'

/** Goes to the next or previous (unread) conversation that the sidebar shows; wraps around. */
export function useChannelSteps() {
  const { data: sections } = useQuery(sidebarSections)
  const isNotJoinedShown = useIsNotJoinedShown(sections)
  const navigate = useNavigate()

  return (by: 1 | -1, among: 'all' | 'unread') => {
    const isCandidate = (channel: Channel) => among === 'all' || isUnread(channel)
    // From the URL itself, because quick key presses outpace rendering.
    const openId = matchPath(paths.channel(':channelId'), location.pathname)?.params.channelId?.toLowerCase()
    const rows = Object.entries(sections ?? {}).flatMap(([name, rows]) =>
      name === 'notJoined' ? seenChannels(rows, isNotJoinedShown, openId) : rows,
    )
    const next = stepFrom(rows, openId, by, isCandidate)
    if (next) void navigate(paths.channel(next.id))
  }
}

/** The next candidate after the open row, wrapping around; never the open row itself. */
export function stepFrom<T extends { id: string }>(
  rows: T[],
  openId: string | undefined,
  by: 1 | -1,
  isCandidate: (row: T) => boolean,
) {
  const ordered = by === 1 ? rows : rows.toReversed()
  const start = ordered.findIndex(({ id }) => id === openId) + 1
  return [...ordered.slice(start), ...ordered.slice(0, start)].find((row) => row.id !== openId && isCandidate(row))
}
