import { clockOf } from './time-zones.ts'

/** When somebody may be notified. */
export interface NotificationSchedule {
  /** Days of the week, 0 for Sunday. Hours that span midnight belong to the day on which they begin. */
  days: number[]
  /** '09:00'. The same time in both is the whole day; a later one in `from` spans midnight. */
  from: string
  to: string
  /** An IANA name, such as 'Europe/Berlin'. */
  timeZone: string
}

export interface ScheduleState {
  /** Whether it is outside the schedule. */
  isQuiet: boolean
  /** When that changes, in Unix milliseconds; null for never. */
  until: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SECOND_MS = 1000
/** Two weeks, because hours within those that the clocks skip do not happen in one of them. */
const MAX_DAYS = 15

/**
 * Whether a time is outside a schedule, and when that changes. Hours that join without a gap are one. Hours begin and end when
 * clocks first show the time, or skip it.
 */
export function scheduleAt({ days, from, to, timeZone }: NotificationSchedule, nowMs: number): ScheduleState {
  const clock = clockOf(timeZone)
  const today = Math.floor(clock(nowMs) / DAY_MS) * DAY_MS
  const hours = hoursOf(from, to)
  let until: number | undefined
  // Yesterday's hours may last until today.
  for (let day = -1; day <= MAX_DAYS; day++) {
    const midnight = today + day * DAY_MS
    if (!days.includes(new Date(midnight).getUTCDay())) continue
    const start = firstTime(clock, midnight + hours.fromMs)
    const end = firstTime(clock, midnight + hours.toMs)
    if (end <= start || end <= nowMs) continue
    if (until === undefined && start > nowMs) return { isQuiet: true, until: start }
    if (until !== undefined && start > until) break
    until = Math.max(until ?? end, end)
    if (day === MAX_DAYS) return { isQuiet: false, until: null }
  }
  return { isQuiet: until === undefined, until: until ?? null }
}

/** Milliseconds since midnight. */
function hoursOf(from: string, to: string) {
  const [fromMs, toMs] = [msOf(from), msOf(to)]
  if (fromMs === toMs) return { fromMs: 0, toMs: DAY_MS }
  return { fromMs, toMs: toMs < fromMs ? toMs + DAY_MS : toMs }
}

function msOf(time: string) {
  const [hours, minutes] = time.split(':')
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}

/** When clocks first show a time, or skip it. @param wall what they show, as if it were UTC */
function firstTime(clock: (ms: number) => number, wall: number) {
  // The offsets before and after any change of the clocks.
  const times = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - (clock(near) - near))
  const shown = times.filter((time) => clock(time) === wall)
  if (shown.length > 0) return Math.min(...shown)
  let [before, after] = [Math.min(...times), Math.max(...times)]
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS
    if (clock(middle) < wall) before = middle
    else after = middle
  }
  return after
}
