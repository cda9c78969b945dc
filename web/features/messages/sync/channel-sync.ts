import type { QueryClient } from '@tanstack/react-query'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { call, isRefusal } from '../../../api-client/api.ts'
import type { Told } from '../../../cache/message-update.ts'
import { isWindow, windowsOf } from './message-queries.ts'
import { catchUpWith, hear, type MessageWindow } from './message-window.ts'

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
  /** Hears of a channel that may not be read any more. */
  onGone: (channelId: string) => void
  source?: ChangeSource
}

/** Milliseconds that a missing event may come late before it is asked for; spread of a reconnection. */
const LATE = 100
const SPREAD = 2000
/** Milliseconds until the next try after a failure: the first time, and at most. */
const RETRY_DELAY_MS = 2000
const MAX_RETRY_DELAY_MS = 30_000

export type ChannelSync = ReturnType<typeof createChannelSync>

/**
 * Keeps every window of messages equal to the server's: takes events in the order of their revisions, notices what is
 * missing, and fetches it. The windows of a channel, its own and those of its threads, move by the same events. A
 * channel that was never opened has no window and costs nothing.
 */
export function createChannelSync({ client, onGone, source = server }: Options) {
  let epoch: string | undefined
  let resumption: ReturnType<typeof setTimeout> | undefined
  let ended = false
  /** Tries that failed since the last one that did not. */
  let failures = 0
  /** The furthest revision told of or shown for each channel, also while its windows are on their way. */
  const furthest = new Map<string, number>()
  /** Events that came before the one they follow. */
  const early = new Map<string, Told[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const held = (channelId: string) =>
    client
      .getQueriesData<MessageWindow>({ queryKey: windowsOf(channelId) })
      .flatMap(([key, window]) => (window ? [{ key, window }] : []))
  /** What all windows of a channel know; infinitely much where there are none. */
  const known = (channelId: string) => Math.min(...held(channelId).map(({ window }) => window.known))
  const isBehind = (channelId: string) => known(channelId) < (furthest.get(channelId) ?? 0)

  // A window may enter, or go back for an older page, behind what was told meanwhile.
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !isWindow(query)) return
    const channelId = query.queryKey[1] as string
    reached(channelId, (query.state.data as MessageWindow | undefined)?.known ?? 0)
    if (isBehind(channelId)) schedule(channelId, LATE)
  })

  function reached(channelId: string, rev: number) {
    if (rev > (furthest.get(channelId) ?? 0)) furthest.set(channelId, rev)
  }

  /** An event of one revision. */
  function told(event: Told) {
    const { channelId, rev } = event
    reached(channelId, rev)
    if (rev <= known(channelId)) return
    early.set(channelId, [...(early.get(channelId) ?? []), event])
    settle(channelId)
  }

  /** The channel has come this far, and what moved it was perhaps not told. */
  function toldRev(channelId: string, rev: number) {
    reached(channelId, rev)
    if (isBehind(channelId)) schedule(channelId, LATE)
  }

  /** Takes the early events whose turn it is by now; asks for what they wait for. */
  function settle(channelId: string) {
    const events = (early.get(channelId) ?? []).sort((a, b) => a.rev - b.rev)
    for (const { key, window } of held(channelId)) {
      let next = window
      for (const event of events) {
        const heard = hear(next, event)
        if (heard === 'gap') break
        next = heard
      }
      if (next !== window) client.setQueryData(key, next)
    }
    const rest = events.filter(({ rev }) => rev > known(channelId))
    if (rest.length > 0) early.set(channelId, rest)
    else early.delete(channelId)
    if (rest.length > 0) schedule(channelId, LATE)
  }

  function schedule(channelId: string, ms: number) {
    if (ended || timers.has(channelId)) return
    const fetch = async () => {
      const isDone = await fetchMissed(channelId)
      timers.delete(channelId)
      if (isBehind(channelId)) schedule(channelId, isDone ? LATE : retryDelay())
    }
    timers.set(channelId, setTimeout(fetch, ms))
  }

  /** Grows, so that a server in trouble is not kept there; sooner or later, so that not all pages ask at once. */
  const retryDelay = () =>
    Math.min(RETRY_DELAY_MS * 2 ** Math.max(failures - 1, 0), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2)

  async function fetchMissed(channelId: string): Promise<boolean> {
    const asked = known(channelId)
    const toldOf = furthest.get(channelId) ?? 0
    if (asked >= toldOf) return true
    try {
      const changes = await source.changes(channelId, asked)
      failures = 0
      // The server fell behind what it told itself: an older database.
      if (changes.rev < toldOf) reload(channelId)
      else bring(channelId, changes, asked)
      return true
    } catch (error) {
      console.error('Could not fetch what was missed:', error)
      const isRefused = isRefusal(error)
      // Read anew, the channel says itself that it is gone.
      if (isRefused) reload(channelId)
      else failures++
      return isRefused
    }
  }

  function bring(channelId: string, changes: Changes, asked: number) {
    if (ended) return
    for (const { key, window } of held(channelId)) {
      const next = catchUpWith(window, changes, asked)
      if (next === 'reload') return reload(channelId)
      client.setQueryData(key, next)
    }
    settle(channelId)
  }

  function reload(channelId: string) {
    if (ended) return
    early.delete(channelId)
    furthest.delete(channelId)
    void client.resetQueries({ queryKey: windowsOf(channelId) })
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
        failures++
        if (!ended) resumption = setTimeout(ask, retryDelay())
      })
    resumption = setTimeout(ask, isFirst ? 0 : Math.random() * SPREAD)
  }

  async function syncAll(currentEpoch: string) {
    const windows = client.getQueryCache().findAll({ predicate: isWindow })
    const channelIds = new Set(windows.map(({ queryKey }) => queryKey[1] as string))
    const revs = [...channelIds].map((id) => [id, known(id)] as const).filter(([, rev]) => Number.isFinite(rev))
    for (let i = 0; i < revs.length; i += limits.syncedChannels) {
      const asked = Object.fromEntries(revs.slice(i, i + limits.syncedChannels))
      const answer = await source.sync(currentEpoch, asked)
      failures = 0
      if (ended) return
      if (answer.epoch !== currentEpoch) return dropAll()
      for (const [channelId, changes] of Object.entries(answer.channels)) {
        if (changes.rev >= (asked[channelId] ?? 0)) reached(channelId, changes.rev)
        bring(channelId, changes, asked[channelId] ?? 0)
      }
      answer.gone.forEach(onGone)
    }
  }

  /** Another database: nothing held is of it. */
  function dropAll() {
    furthest.clear()
    early.clear()
    void client.resetQueries()
  }

  function end() {
    ended = true
    unsubscribe()
    clearTimeout(resumption)
    for (const timer of timers.values()) clearTimeout(timer)
  }

  return { told, toldRev, resume, end }
}
