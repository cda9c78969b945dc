import { now } from './clock.ts'
import type { DeliveredMessage, DeliveryLedger, Receipt } from './delivery-ledger.ts'
import type { HttpPool } from './http-pool.ts'

interface Options {
  httpPool: HttpPool
  ledger: DeliveryLedger
  socket: number
  token: string
  /** The channels of the socket, all of them open. */
  channelIds: string[]
  reportFault: (text: string) => void
}
interface Changes {
  rev: number
  reload?: true
  messages: { id: string; channelId: string; rev: number; clientId: string | null }[]
}

/** The first and the maximum delay, and the jitter as a fraction, as in web/socket/connection.ts and its library. */
const RECONNECT_DELAY_MS = 1000
const MAX_RECONNECT_DELAY_MS = 30_000
const RECONNECT_JITTER = 0.5
const HANDSHAKE_ATTEMPTS = 5
/** As in web/features/messages/sync/channel-sync.ts. */
const SYNC_SPREAD_MS = 2000
const LATE_EVENT_TIMEOUT_MS = 100
const RETRY_INTERVAL_MS = 2000

/** Reconnects one socket and catches up like the browser. */
export function createReconnector({ httpPool, ledger, socket, token, channelIds, reportFault }: Options) {
  let attempt = 0
  let attempts = 0
  let caughtUp = 0
  let isBack = false
  let isSynced = false
  let backAt = 0
  let completeAt = 0
  let lostAt: number | undefined
  const absences: number[] = []
  /** The latest revision seen while an earlier one is missing, and the channels being fetched for it. */
  const furthest = new Map<string, number>()
  const fetching = new Set<string>()
  const isBehind = (id: string) => ledger.rev(socket, id) < (furthest.get(id) ?? 0)
  const isComplete = () => isBack && isSynced && !channelIds.some(isBehind)

  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${token}` }
    const { status, text } = await httpPool.send({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
    if (status !== 200) throw new Error(`${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** Applies fetched changes; messages after a gap are ignored. */
  function applyChanges(id: string, changes: Changes) {
    if (changes.reload) return reportFault(`socket ${socket} must reload`)
    for (const message of changes.messages) if (ledger.receive(socket, ledger.fetched(message)) === 'next') caughtUp++
    if (ledger.rev(socket, id) < changes.rev) reportFault(`socket ${socket} did not get all changes`)
    if (isBehind(id)) fetchMissed(id, LATE_EVENT_TIMEOUT_MS)
  }

  function noteComplete(wasComplete: boolean) {
    if (!wasComplete && isComplete()) completeAt = now()
  }

  /** Fetches missed changes of all channels after a reconnect. */
  async function sync(epoch: string) {
    const revs = Object.fromEntries(channelIds.map((id) => [id, ledger.rev(socket, id)]))
    type Answer = { epoch: string; channels: Record<string, Changes>; gone: string[] }
    try {
      const answer = await ask<Answer>('POST', '/api/sync', { epoch, revs })
      if (answer.epoch !== epoch || answer.gone.length > 0) reportFault(`socket ${socket} lost channels`)
      // Too many for this response; a request for the channel alone may return more.
      for (const [id, changes] of Object.entries(answer.channels))
        if (changes.reload) revChanged(id, changes.rev)
        else applyChanges(id, changes)
      isSynced = isBack
      noteComplete(false)
    } catch {
      setTimeout(() => isBack && sync(epoch), RETRY_INTERVAL_MS)
    }
  }

  function fetchMissed(id: string, ms: number) {
    if (fetching.has(id)) return
    fetching.add(id)
    setTimeout(async () => {
      const wasComplete = isComplete()
      let next = LATE_EVENT_TIMEOUT_MS
      try {
        if (isBehind(id))
          applyChanges(id, await ask('GET', `/api/channels/${id}/changes?after=${ledger.rev(socket, id)}`))
      } catch {
        next = RETRY_INTERVAL_MS
      }
      fetching.delete(id)
      if (isBehind(id)) fetchMissed(id, next)
      noteComplete(wasComplete)
    }, ms)
  }

  function revChanged(id: string, rev: number) {
    if (!channelIds.includes(id)) return
    furthest.set(id, Math.max(rev, furthest.get(id) ?? 0))
    if (isBehind(id)) fetchMissed(id, LATE_EVENT_TIMEOUT_MS)
  }

  return {
    revChanged,
    connected() {
      isBack = true
      isSynced = true
    },
    lost(connect: () => void) {
      isBack = false
      isSynced = false
      lostAt ??= now()
      const usual = Math.min(RECONNECT_DELAY_MS * 2 ** attempt, MAX_RECONNECT_DELAY_MS)
      const wait =
        attempt >= HANDSHAKE_ATTEMPTS
          ? MAX_RECONNECT_DELAY_MS
          : usual * (1 + RECONNECT_JITTER * (Math.random() * 2 - 1))
      attempt++
      attempts++
      setTimeout(connect, wait)
    },
    back(epoch: string) {
      attempt = 0
      isBack = true
      backAt = now()
      if (lostAt !== undefined) absences.push(backAt - lostAt)
      lostAt = undefined
      setTimeout(() => void sync(epoch), Math.random() * SYNC_SPREAD_MS)
    },
    /** A duplicate or a gap. A duplicate of a fetched message is fine; a gap is fetched. */
    received(receipt: Receipt, message: DeliveredMessage) {
      if (receipt === 'gap') revChanged(message.channelId, message.rev)
      // A fetched message may still arrive from another node.
      else if (backAt === 0 && caughtUp === 0) reportFault(`socket ${socket} received revision ${message.rev} again`)
    },
    isBack: () => isBack,
    absences,
    isComplete,
    backAt: () => backAt,
    completeAt: () => completeAt,
    attempts: () => attempts,
    caughtUp: () => caughtUp,
  }
}
