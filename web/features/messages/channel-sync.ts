import type { QueryClient } from '@tanstack/react-query'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { Channel } from '#contract/channels'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { ApiError, call } from '../../api.ts'
import { messagesIn } from './message-queries.ts'
import { catchUpWith, hear, type MessageWindow, type Told } from './window.ts'

/** Where what was missed comes from: the server, or a model of it in tests. */
export interface ChangeSource {
  changes: (channelId: string, after: number) => Promise<Changes>
  sync: (epoch: string, revs: Record<string, number>) => Promise<ReplyOf<typeof sync>>
}

const server: ChangeSource = {
  changes: (channelId, after) => call(listChanges, { params: { channelId }, query: { after } }),
  sync: (epoch, revs) => call(sync, { body: { epoch, revs } }),
}

interface Options {
  client: QueryClient
  /** Hears of a channel that itself changed. */
  onChannel: (channel: Channel) => void
  source?: ChangeSource
}

const isWindow = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'channel' && queryKey[2] === 'messages'
const keyOf = (channelId: string) => messagesIn(channelId).queryKey

/** Milliseconds that a missing event may come late before it is asked for; until the next try; spread of a reconnection. */
const LATE = 100
const AGAIN = 2000
const SPREAD = 2000

export type ChannelSync = ReturnType<typeof createChannelSync>

/**
 * Keeps every window of messages equal to the server's: takes events in the order of their revisions, notices what is
 * missing, and fetches it. A channel that was never opened has no window and costs nothing.
 */
export function createChannelSync({ client, onChannel, source = server }: Options) {
  let epoch: string | undefined
  let resumption: ReturnType<typeof setTimeout> | undefined
  let ended = false
  /** The furthest revision told of or shown for each channel, also while its window is on its way. */
  const furthest = new Map<string, number>()
  /** Events that came before the one they follow. */
  const early = new Map<string, Told[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const held = (channelId: string) => client.getQueryData(keyOf(channelId))
  const isBehind = (channelId: string) =>
    (held(channelId)?.known ?? Number.POSITIVE_INFINITY) < (furthest.get(channelId) ?? 0)

  // A window may enter, or go back for an older page, behind what was told meanwhile.
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !isWindow(query)) return
    const channelId = query.queryKey[1] as string
    reached(channelId, held(channelId)?.known ?? 0)
    if (isBehind(channelId)) schedule(channelId, LATE)
  })

  function reached(channelId: string, rev: number) {
    if (rev > (furthest.get(channelId) ?? 0)) furthest.set(channelId, rev)
  }

  /** An event of one revision. */
  function told(channelId: string, rev: number, message?: Message) {
    reached(channelId, rev)
    const window = held(channelId)
    if (!window || rev <= window.known) return
    early.set(channelId, [...(early.get(channelId) ?? []), { rev, ...(message && { message }) }])
    settle(channelId)
  }

  /** The channel has come this far, and what moved it was perhaps not told. */
  function toldRev(channelId: string, rev: number) {
    reached(channelId, rev)
    if (isBehind(channelId)) schedule(channelId, LATE)
  }

  /** Takes the early events whose turn it is by now; asks for what they wait for. */
  function settle(channelId: string) {
    const before = held(channelId)
    if (!before) return
    let window = before
    const rest: Told[] = []
    for (const event of (early.get(channelId) ?? []).sort((a, b) => a.rev - b.rev)) {
      const heard = hear(window, event)
      if (heard === 'gap') rest.push(event)
      else window = heard
    }
    if (rest.length > 0) early.set(channelId, rest)
    else early.delete(channelId)
    if (window !== before) client.setQueryData(keyOf(channelId), window)
    else if (rest.length > 0) schedule(channelId, LATE)
  }

  function schedule(channelId: string, ms: number) {
    if (ended || timers.has(channelId)) return
    const fetch = async () => {
      const isDone = await fetchMissed(channelId)
      timers.delete(channelId)
      if (isBehind(channelId)) schedule(channelId, isDone ? LATE : AGAIN)
    }
    timers.set(channelId, setTimeout(fetch, ms))
  }

  async function fetchMissed(channelId: string): Promise<boolean> {
    const asked = held(channelId)?.known
    const toldOf = furthest.get(channelId) ?? 0
    if (asked === undefined || !isBehind(channelId)) return true
    try {
      const changes = await source.changes(channelId, asked)
      // The server fell behind what it told itself: an older database.
      if (changes.rev < toldOf) reload(channelId)
      else bring(channelId, changes, asked)
      return true
    } catch (error) {
      console.error('Could not fetch what was missed:', error)
      const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429
      // Read anew, the channel says itself that it is gone.
      if (isRefused) reload(channelId)
      return isRefused
    }
  }

  function bring(channelId: string, changes: Changes, asked: number) {
    const window = held(channelId)
    if (!window || ended) return
    const next = catchUpWith(window, changes, asked)
    if (next === 'reload') return reload(channelId)
    if ('channel' in changes && changes.channel) onChannel(changes.channel)
    client.setQueryData(keyOf(channelId), next)
    settle(channelId)
  }

  function reload(channelId: string) {
    if (ended) return
    early.delete(channelId)
    furthest.delete(channelId)
    void client.resetQueries({ queryKey: keyOf(channelId) })
  }

  /** After each connection: asks once, for all windows, what was missed; many who come back do not ask at once. */
  function resume(currentEpoch: string) {
    const isFirst = epoch === undefined
    if (!isFirst && epoch !== currentEpoch) dropAll()
    epoch = currentEpoch
    clearTimeout(resumption)
    const ask = () =>
      syncAll(currentEpoch).catch((error) => {
        console.error('Could not ask what was missed:', error)
        if (!ended) resumption = setTimeout(ask, AGAIN)
      })
    resumption = setTimeout(ask, isFirst ? 0 : Math.random() * SPREAD)
  }

  async function syncAll(currentEpoch: string) {
    const windows = client.getQueriesData<MessageWindow>({ predicate: isWindow })
    const revs = windows.flatMap(([key, window]) => (window ? [[key[1] as string, window.known] as const] : []))
    for (let i = 0; i < revs.length; i += limits.syncedChannels) {
      const asked = Object.fromEntries(revs.slice(i, i + limits.syncedChannels))
      const answer = await source.sync(currentEpoch, asked)
      if (ended) return
      if (answer.epoch !== currentEpoch) return dropAll()
      for (const [channelId, changes] of Object.entries(answer.channels)) {
        if (changes.rev >= (asked[channelId] ?? 0)) reached(channelId, changes.rev)
        bring(channelId, changes, asked[channelId] ?? 0)
      }
      for (const channelId of answer.gone) {
        reload(channelId)
        void client.resetQueries({ queryKey: ['channel', channelId] })
      }
    }
  }

  /** Another database: nothing held is of it. */
  function dropAll() {
    furthest.clear()
    early.clear()
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === 'channel' || queryKey[0] === 'channels' })
  }

  function end() {
    ended = true
    unsubscribe()
    clearTimeout(resumption)
    for (const timer of timers.values()) clearTimeout(timer)
  }

  return { told, toldRev, resume, end }
}
