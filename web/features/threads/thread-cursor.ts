import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '#contract/limits'
import { readThread } from '#contract/read-cursors'
import { followThread, type ThreadCursor, unfollowThread } from '#contract/threads'
import { call, fetchResponse, isRefusal } from '../../api-client/api.ts'
import { useReadUpTo } from '../../api-client/read-up-to.ts'
import { applyThreadRead } from './thread-list.ts'
import { myThreads, threadCursor } from './thread-queries.ts'

const NOT_FOLLOWING = { isFollowing: false } as const
type Cursor = ThreadCursor | typeof NOT_FOLLOWING

/** My cursor in a thread of a channel that I am in; undefined until it is known. */
export function useThreadCursor(threadId: string): Cursor | undefined {
  const { data: threads } = useQuery(myThreads)
  const held = threads?.find((thread) => thread.threadId === threadId)
  const isUnlisted = !held && threads?.length === limits.page.max
  const { data: unlisted } = useQuery({ ...threadCursor(threadId), enabled: isUnlisted })
  return isUnlisted ? unlisted : threads && (held ?? NOT_FOLLOWING)
}

/**
 * My current cursor on the server in a thread that my list no longer has: 'missing' if there is no such thread in a
 * channel of mine; undefined until it has answered, and for other threads.
 */
export function useGoneCursor(threadId: string, isGone: boolean): ThreadCursor | 'missing' | undefined {
  const { data, error } = useQuery({ ...threadCursor(threadId), enabled: isGone, staleTime: 0 })
  if (!isGone) return undefined
  return isRefusal(error) ? 'missing' : data
}

export interface Thread {
  channelId: string
  threadId: string
}

export async function setFollowing(client: QueryClient, { channelId, threadId }: Thread, isFollowing: boolean) {
  const cursor = await call(isFollowing ? followThread : unfollowThread, { params: { threadId } })
  applyCursor(client, channelId, cursor)
}

/** Marks a thread that I follow read up to a reply, unless I marked something unread since it was opened. */
export function useReadThread({ channelId, threadId }: Thread, cursor: Cursor | undefined) {
  const client = useQueryClient()
  const [readVersion, setReadVersion] = useState<number>()
  if (readVersion === undefined && cursor?.isFollowing) setReadVersion(cursor.readVersion)
  const canSend = cursor?.isFollowing && cursor.readVersion === readVersion
  const { onSeen } = useReadUpTo(canSend ? cursor.lastReadSeq : undefined, async (seq) => {
    const input = { params: { threadId }, body: { seq, readVersion } }
    const response = await fetchResponse(readThread, input, { keepalive: true })
    applyCursor(client, channelId, await response.json())
  })
  return onSeen
}

function applyCursor(client: QueryClient, channelId: string, cursor: ThreadCursor) {
  client.setQueryData(threadCursor(cursor.threadId).queryKey, (held) => held && cursor)
  applyThreadRead(client, { ...cursor, channelId })
}
