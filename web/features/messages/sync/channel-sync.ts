import type { QueryClient } from '@tanstack/react-query'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { call, isRefusal } from '../../../api-client/api.ts'
import type { MessageUpdate } from '../../../cache/message-update.ts'
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
  /** Called when all windows have caught up after a connection. */
  onSynced?: () => void
  /** The history of the database that the first windows show; undefined if they were just fetched. */
  heldEpoch?: string | undefined
  source?: ChangeSource
}

/** How long a missing event may be late before it is fetched. */
const EVENT_GRACE_MS = 100
const RECONNECT_SPREAD_MS = 2000
const RETRY_DELAY_MS = 2000
const MAX_RETRY_DELAY_MS = 30_000

export type ChannelSync = ReturnType<typeof createChannelSync>

/**
 * Keeps every window of messages equal to the server's: applies events in the order of their revisions, notices gaps and
 * fetches what is missing. One event advances all windows of a channel, its own and those of its threads.
 */
export function createChannelSync({ client, onGone, onSynced, heldEpoch, source = server }: Options) {
  let epoch = heldEpoch
  let hasResumed = false
  let resumption: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  /** Consecutive failed requests. */
  let failures = 0
  /** The latest revision seen for each channel, in events or windows, also while its windows are loading. */
  const latestRev = new Map<string, number>()
  /** Events that arrived before their predecessor. */
  const outOfOrder = new Map<string, MessageUpdate[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const windowsIn = (channelId: string) =>
    client
      .getQueriesData<MessageWindow>({ queryKey: windowsOf(channelId) })
      .flatMap(([key, window]) => (window ? [{ key, window }] : []))
  /** The revision that all windows of a channel have reached; Infinity if there are none. */
  const heldRev = (channelId: string) => Math.min(...windowsIn(channelId).map(({ window }) => window.rev))
  const isBehind = (channelId: string) => heldRev(channelId) < (latestRev.get(channelId) ?? 0)

  // A new window, or one that went back for an older page, may be behind events that came meanwhile.
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if ((type !== 'added' && type !== 'updated') || !isWindow(query)) return
    const channelId = query.queryKey[1] as string
    noteRev(channelId, (query.state.data as MessageWindow | undefined)?.rev ?? 0)
    if (isBehind(channelId)) schedule(channelId, EVENT_GRACE_MS)
  })

  function noteRev(channelId: string, rev: number) {
    if (rev > (latestRev.get(channelId) ?? 0)) latestRev.set(channelId, rev)
  }

  function receive(event: MessageUpdate) {
    const { channelId, rev } = event
    noteRev(channelId, rev)
    if (rev <= heldRev(channelId)) return
    outOfOrder.set(channelId, [...(outOfOrder.get(channelId) ?? []), event])
    drain(channelId)
  }

  /** The server also publishes bare revisions, in case the events that led to them were lost. */
  function receiveRev(channelId: string, rev: number) {
    noteRev(channelId, rev)
    if (isBehind(channelId)) schedule(channelId, EVENT_GRACE_MS)
  }

  /** Applies the waiting events whose predecessors have arrived, and schedules a fetch for the others. */
  function drain(channelId: string) {
    const events = (outOfOrder.get(channelId) ?? []).sort((a, b) => a.rev - b.rev)
    for (const { key, window } of windowsIn(channelId)) {
      let next = window
      for (const event of events) {
        const applied = applyEvent(next, event)
        if (applied === 'gap') break
        next = applied
      }
      if (next !== window) client.setQueryData(key, next)
    }
    const rest = events.filter(({ rev }) => rev > heldRev(channelId))
    if (rest.length > 0) outOfOrder.set(channelId, rest)
    else outOfOrder.delete(channelId)
    if (rest.length > 0) schedule(channelId, EVENT_GRACE_MS)
  }

  function schedule(channelId: string, ms: number) {
    if (isEnded || timers.has(channelId)) return
    const fetch = async () => {
      const isDone = await fetchMissed(channelId)
      timers.delete(channelId)
      if (isBehind(channelId)) schedule(channelId, isDone ? EVENT_GRACE_MS : retryDelay())
    }
    timers.set(channelId, setTimeout(fetch, ms))
  }

  /** Backs off, so that a server in trouble can recover; with jitter, so that not all pages retry at once. */
  const retryDelay = () =>
    Math.min(RETRY_DELAY_MS * 2 ** Math.max(failures - 1, 0), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2)

  async function fetchMissed(channelId: string): Promise<boolean> {
    const afterRev = heldRev(channelId)
    const latest = latestRev.get(channelId) ?? 0
    if (afterRev >= latest) return true
    try {
      const changes = await source.changes(channelId, afterRev)
      failures = 0
      // The server is behind its own events: it runs on an older database.
      if (changes.rev < latest) reload(channelId)
      else applyToWindows(channelId, changes, afterRev)
      return true
    } catch (error) {
      console.error('Could not fetch what was missed:', error)
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
    drain(channelId)
  }

  function reload(channelId: string) {
    if (isEnded) return
    outOfOrder.delete(channelId)
    latestRev.delete(channelId)
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
        console.error('Could not ask what was missed:', error)
        failures++
        if (!isEnded) resumption = setTimeout(attempt, retryDelay())
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
        if (changes.rev >= (batch[channelId] ?? 0)) noteRev(channelId, changes.rev)
        applyToWindows(channelId, changes, batch[channelId] ?? 0)
      }
      response.gone.forEach(onGone)
    }
  }

  /** The server has another database: nothing cached belongs to it. */
  function dropAll() {
    latestRev.clear()
    outOfOrder.clear()
    void client.resetQueries()
  }

  function end() {
    isEnded = true
    unsubscribe()
    clearTimeout(resumption)
    for (const timer of timers.values()) clearTimeout(timer)
  }

  return { receive, receiveRev, resume, end }
}
