import type { QueryClient } from '@tanstack/react-query'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { retryDelay } from '#contract/retry-delay'
import { call, isRefusal } from '../../../api-client/api.ts'
import type { MessageUpdate } from '../../../cache/message-update.ts'
import { createChannelStream } from '../../../socket/channel-stream.ts'
import { isWindow, windowsOf } from './message-queries.ts'
import type { MessageWindow } from './message-window.ts'
import { applyChanges, applyEvent } from './window-changes.ts'

/** Where missed changes are fetched from: the server, or a model of it in tests. */
interface ChangeSource {
  changes: (channelId: string, after: number) => Promise<Changes>
  sync: (epoch: string, revs: Record<string, number>) => Promise<ReplyOf<typeof sync>>
}

const server: ChangeSource = {
  changes: (channelId, after) => call(listChanges, { params: { channelId }, query: { after } }),
  sync: (epoch, revs) => call(sync, { body: { epoch, revs } }),
}

interface Options {
  client: QueryClient
  /** Called for a channel that I may no longer read. */
  onGone: (channelId: string) => void
  /** Called when the server turns out to have another database, and everything is fetched again. */
  onOtherDatabase?: () => void
  /** Called when all windows have caught up after a connection. */
  onSynced?: () => void
  /** The epoch of the initial windows; undefined if they were just fetched. */
  heldEpoch?: string | undefined
  source?: ChangeSource
}

const RECONNECT_SPREAD_MS = 2000
const RETRY = { firstMs: 2000, maxMs: 30_000 }

export type ChannelSync = ReturnType<typeof createChannelSync>

/**
 * Keeps every window of messages equal to the server's: applies events in the order of their revisions, detects gaps and
 * fetches missed changes. One event advances all windows of a channel, its own and those of its threads.
 */
export function createChannelSync(options: Options) {
  const { client, onGone, onOtherDatabase, onSynced, heldEpoch, source = server } = options
  let epoch = heldEpoch
  let hasResumed = false
  let resumption: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  /** Consecutive failed requests. */
  let failures = 0
  /** Channels whose missed changes are being fetched. */
  const catchingUp = new Set<string>()

  const windowsIn = (channelId: string) =>
    client
      .getQueriesData<MessageWindow>({ queryKey: windowsOf(channelId) })
      .flatMap(([key, window]) => (window ? [{ key, window }] : []))
  const heldRevs = (channelId: string) => windowsIn(channelId).map(({ window }) => window.rev)
  /** The revision that all windows of a channel have reached; Infinity if there are none. */
  const heldRev = (channelId: string) => Math.min(...heldRevs(channelId))
  const stream = createChannelStream<MessageUpdate>({
    heldRevs,
    apply,
    isRepeatable: true,
    onGap: ({ channelId }) => void catchUp(channelId),
  })

  // A new window, or one that an older page has set back, may be behind events that have arrived.
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if ((type !== 'added' && type !== 'updated') || !isWindow(query)) return
    const { rev = 0 } = (query.state.data ?? {}) as Partial<MessageWindow>
    stream.announce({ channelId: query.queryKey[1] as string, rev })
  })

  function apply(event: MessageUpdate) {
    for (const { key, window } of windowsIn(event.channelId)) {
      const next = applyEvent(window, event)
      // Windows further behind fetch what they missed.
      if (next !== window && next !== 'gap') client.setQueryData(key, next)
    }
  }

  /** Fetches missed changes. Retries until there is a response. */
  async function catchUp(channelId: string) {
    if (isEnded || catchingUp.has(channelId)) return
    catchingUp.add(channelId)
    while (stream.isBehind(channelId) && !(await fetchMissed(channelId))) await sleep(retryDelay(failures, RETRY))
    catchingUp.delete(channelId)
  }

  async function fetchMissed(channelId: string): Promise<boolean> {
    const afterRev = heldRev(channelId)
    const latest = stream.latestRev(channelId)
    try {
      const changes = await source.changes(channelId, afterRev)
      failures = 0
      // The server is behind its own events: it runs on an older database.
      if (changes.rev < latest) reload(channelId)
      else applyToWindows(channelId, changes, afterRev)
      return true
    } catch (error) {
      console.error('Failed to fetch missed changes:', error)
      const isRefused = isRefusal(error)
      // The refetch will find that the channel is gone.
      if (isRefused) reload(channelId)
      else failures++
      return isRefused
    }
  }

  function applyToWindows(channelId: string, changes: Changes, afterRev: number) {
    if (isEnded) return
    for (const { key, window } of windowsIn(channelId)) {
      const next = applyChanges(window, changes, afterRev)
      if (next === 'reload') return reload(channelId)
      client.setQueryData(key, next)
    }
    stream.release(channelId)
  }

  function reload(channelId: string) {
    if (isEnded) return
    stream.forget(channelId)
    void client.resetQueries({ queryKey: windowsOf(channelId) })
  }

  /** Call after each connection: fetches what all windows missed. Reconnecting clients spread their requests. */
  function resume(currentEpoch: string) {
    const isFirst = !hasResumed
    hasResumed = true
    if (epoch !== undefined && epoch !== currentEpoch) dropAll()
    epoch = currentEpoch
    clearTimeout(resumption)
    const attempt = () =>
      syncAll(currentEpoch).then(onSynced, (error) => {
        console.error('Failed to sync after connecting:', error)
        failures++
        if (!isEnded) resumption = setTimeout(attempt, retryDelay(failures, RETRY))
      })
    resumption = setTimeout(attempt, isFirst ? 0 : Math.random() * RECONNECT_SPREAD_MS)
  }

  async function syncAll(currentEpoch: string) {
    const windows = client.getQueryCache().findAll({ predicate: isWindow })
    const channelIds = new Set(windows.map(({ queryKey }) => queryKey[1] as string))
    const revs = [...channelIds].map((id) => [id, heldRev(id)] as const).filter(([, rev]) => Number.isFinite(rev))
    for (let i = 0; i < revs.length; i += limits.syncedChannels) {
      const batch = Object.fromEntries(revs.slice(i, i + limits.syncedChannels))
      const response = await source.sync(currentEpoch, batch)
      failures = 0
      if (isEnded) return
      if (response.epoch !== currentEpoch) return dropAll()
      for (const [channelId, changes] of Object.entries(response.channels)) {
        if (changes.rev >= (batch[channelId] ?? 0)) stream.announce({ channelId, rev: changes.rev })
        applyToWindows(channelId, changes, batch[channelId] ?? 0)
      }
      response.gone.forEach(onGone)
    }
  }

  /** The server has another database, so nothing cached is valid. */
  function dropAll() {
    stream.forgetAll()
    onOtherDatabase?.()
    void client.resetQueries()
  }

  function end() {
    isEnded = true
    unsubscribe()
    clearTimeout(resumption)
    stream.forgetAll()
  }

  return { receive: stream.receive, announce: stream.announce, resume, end }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
