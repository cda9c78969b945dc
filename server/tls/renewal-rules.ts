import { retryDelay } from '#contract/retry-delay'

/** What is kept of the attempts since the last certificate. */
export interface Attempts {
  failures: number
  /** Unix time in milliseconds, as all times here. */
  triedAt: number
  /** When to try again. */
  dueAt: number
  /** Until when the authority asked to wait; 0 if it didn't. */
  waitsUntil: number
  /** The last failure. */
  error: string
  /** Whether the authority refused; otherwise it could not be reached, and does not count it. */
  isRefusal: boolean
}

/** Authorities allow about five failed checks an hour. */
const RETRY = { firstMs: 5 * 60_000, maxMs: 12 * 3_600_000 }
/** While the authority can't be reached. */
const RECONNECT = { firstMs: 10_000, maxMs: 3_600_000 }
/** Who has mended something and starts again need not wait as long as the failures before would make them. */
const RESTART_MS = 5 * 60_000
/** For a wait that the authority asks for. */
const MAX_WAIT_MS = 7 * 24 * 3_600_000
/** How far clocks are corrected in passing. */
const CLOCK_TOLERANCE_MS = 60_000

interface Life {
  startsAt: Date
  endsAt: Date
}

/** A certificate is renewed when a third of its life is left. */
export const renewsAt = ({ startsAt, endsAt }: Life) => endsAt.getTime() - (endsAt.getTime() - startsAt.getTime()) / 3

/** How much of a certificate's life may be left until somebody has to be told that it was not renewed. */
const ALARM_SHARE = 1 / 6
const MAX_ALARM_MS = 14 * 24 * 3_600_000

/** From then on, people are told that it ends. */
export const alarmsAt = ({ startsAt, endsAt }: Life) =>
  endsAt.getTime() - Math.min((endsAt.getTime() - startsAt.getTime()) * ALARM_SHARE, MAX_ALARM_MS)

/** When a certificate is to be requested. */
export const dueAt = (certificate: Life | undefined, attempts: Attempts | undefined, now: number) =>
  Math.max(certificate ? renewsAt(certificate) : 0, credible(attempts, now)?.dueAt ?? 0)

/** Undefined for attempts from the future: the clock was set back. No wait is longer than the longest. */
function credible(attempts: Attempts | undefined, now: number): Attempts | undefined {
  if (!attempts || attempts.triedAt > now + CLOCK_TOLERANCE_MS) return undefined
  const latest = attempts.triedAt + MAX_WAIT_MS
  const { dueAt, waitsUntil } = attempts
  return { ...attempts, dueAt: Math.min(dueAt, latest), waitsUntil: Math.min(waitsUntil, latest) }
}

interface Failure {
  error: string
  isRefusal: boolean
  /** In seconds, if the authority says so. */
  retryAfter: number | undefined
  now: number
}

export function afterFailure(before: Attempts | undefined, { now, ...failure }: Failure): Attempts {
  const { error, isRefusal, retryAfter } = failure
  const failures = (before?.failures ?? 0) + 1
  const waitsUntil = retryAfter === undefined ? 0 : now + Math.min(retryAfter * 1000, MAX_WAIT_MS)
  const dueAt = Math.max(now + Math.round(retryDelay(failures, isRefusal ? RETRY : RECONNECT)), waitsUntil)
  return { failures, triedAt: now, dueAt, waitsUntil, error, isRefusal }
}

/** The attempts as a start takes them up. A wait that the authority asked for holds. */
export function onStart(attempts: Attempts | undefined, now: number): Attempts | undefined {
  const known = credible(attempts, now)
  if (!known) return undefined
  const { triedAt, dueAt, waitsUntil, isRefusal } = known
  return { ...known, dueAt: Math.max(Math.min(dueAt, isRefusal ? triedAt + RESTART_MS : triedAt), waitsUntil) }
}
