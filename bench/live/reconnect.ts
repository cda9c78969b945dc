import { now } from './clock.ts'
import type { Heard, Tally, Told } from './delivery-ledger.ts'
import type { Lines } from './http-pool.ts'

interface Options {
  lines: Lines
  tally: Tally
  socket: number
  token: string
  /** The channels it is in, each an open window. */
  channelIds: string[]
  fault: (text: string) => void
}
interface Changes {
  rev: number
  reload?: true
  messages: { id: string; channelId: string; rev: number; clientId: string | null }[]
}

/** Milliseconds, as in web/socket/connection.ts and its library: the first delay, the longest, part by which each is spread. */
const DELAY = 1000
const DELAY_MAX = 30_000
const SPREAD_OF_DELAY = 0.5
const ATTEMPTS = 5
/** As in web/features/messages/sync/channel-sync.ts: spread of the question, patience with a late event, next try. */
const SPREAD = 2000
const LATE = 100
const AGAIN = 2000

/** How one socket comes back and brings itself up to date, as the browser does. */
export function returner({ lines, tally, socket, token, channelIds, fault }: Options) {
  let attempt = 0
  let attempts = 0
  let caughtUp = 0
  let isBack = false
  let isSynced = false
  let backAt = 0
  let wholeAt = 0
  /** The furthest revision heard of where one before it is missing, and the channels that are asked for it. */
  const furthest = new Map<string, number>()
  const fetching = new Set<string>()
  const isBehind = (id: string) => tally.rev(socket, id) < (furthest.get(id) ?? 0)
  const isWhole = () => isBack && isSynced && !channelIds.some(isBehind)

  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${token}` }
    const { status, text } = await lines.ask({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
    if (status !== 200) throw new Error(`${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** Only what follows without a gap counts. */
  function bring(id: string, changes: Changes) {
    if (changes.reload) return fault(`socket ${socket} was told to read anew`)
    for (const message of changes.messages) if (tally.hear(socket, tally.fetched(message)) === 'next') caughtUp++
    if (tally.rev(socket, id) < changes.rev) fault(`socket ${socket} was not brought all that changed`)
    if (isBehind(id)) fetchMissed(id, LATE)
  }

  function noteWhole(wasWhole: boolean) {
    if (!wasWhole && isWhole()) wholeAt = now()
  }

  /** After each connection, for all windows. */
  async function sync(epoch: string) {
    const revs = Object.fromEntries(channelIds.map((id) => [id, tally.rev(socket, id)]))
    type Answer = { epoch: string; channels: Record<string, Changes>; gone: string[] }
    try {
      const answer = await ask<Answer>('POST', '/api/sync', { epoch, revs })
      if (answer.epoch !== epoch || answer.gone.length > 0) fault(`socket ${socket} lost channels`)
      for (const [id, changes] of Object.entries(answer.channels)) bring(id, changes)
      isSynced = isBack
      noteWhole(false)
    } catch {
      setTimeout(() => isBack && sync(epoch), AGAIN)
    }
  }

  function fetchMissed(id: string, ms: number) {
    if (fetching.has(id)) return
    fetching.add(id)
    setTimeout(async () => {
      const wasWhole = isWhole()
      let next = LATE
      try {
        if (isBehind(id)) bring(id, await ask('GET', `/api/channels/${id}/changes?after=${tally.rev(socket, id)}`))
      } catch {
        next = AGAIN
      }
      fetching.delete(id)
      if (isBehind(id)) fetchMissed(id, next)
      noteWhole(wasWhole)
    }, ms)
  }

  function cameTo(id: string, rev: number) {
    if (!channelIds.includes(id)) return
    furthest.set(id, Math.max(rev, furthest.get(id) ?? 0))
    if (isBehind(id)) fetchMissed(id, LATE)
  }

  return {
    cameTo,
    came() {
      isBack = true
      isSynced = true
    },
    lost(connect: () => void) {
      isBack = false
      isSynced = false
      const usual = Math.min(DELAY * 2 ** attempt, DELAY_MAX)
      const wait = attempt >= ATTEMPTS ? DELAY_MAX : usual * (1 + SPREAD_OF_DELAY * (Math.random() * 2 - 1))
      attempt++
      attempts++
      setTimeout(connect, wait)
    },
    back(epoch: string) {
      attempt = 0
      isBack = true
      backAt = now()
      setTimeout(() => void sync(epoch), Math.random() * SPREAD)
    },
    /** Something came twice, or too early: what was fetched meanwhile is no fault, what is missing is fetched. */
    heard(heard: Heard, told: Told) {
      if (heard === 'gap') cameTo(told.channelId, told.rev)
      else if (backAt === 0) fault(`socket ${socket} heard revision ${told.rev} again`)
    },
    isBack: () => isBack,
    isWhole,
    backAt: () => backAt,
    wholeAt: () => wholeAt,
    attempts: () => attempts,
    caughtUp: () => caughtUp,
  }
}
