import { fromWallTime, wallTime } from '../../../i18n/time-zones.ts'
import { MORNING, remindTimes } from './remind-times.ts'

export type ScheduleChoice = 'hours' | 'tomorrow' | 'monday' | 'theirs'

/**
 * The times that a message can be scheduled for with one click, soonest first, then that of the other person.
 * @param theirZone the time zone of the only other person, if it is known: their next morning is offered if mine is another
 */
export function scheduleTimes(now: Date, theirZone?: string): { choice: ScheduleChoice; time: Date }[] {
  const mine = remindTimes(now).flatMap(({ choice, time }) => (choice === 'minutes' ? [] : [{ choice, time }]))
  const time = theirZone === undefined ? undefined : nextMorning(theirZone, now)
  if (!time || mine.some((it) => it.time.getTime() === time.getTime())) return mine
  // Last, because their zone may be known only when the others are on screen.
  return [...mine, { choice: 'theirs', time }]
}

const DAY_MS = 24 * 3_600_000

/** The next time at which a day's work begins in a time zone; undefined if the browser doesn't know the zone. */
export function nextMorning(timeZone: string, now: Date): Date | undefined {
  try {
    const today = wallTime(timeZone, now.getTime())
    for (let days = 0; ; days++) {
      const wall = Math.floor(today / DAY_MS) * DAY_MS + days * DAY_MS + MORNING * 3_600_000
      const time = fromWallTime(timeZone, wall)
      if (time > now.getTime()) return new Date(time)
    }
  } catch {
    return undefined
  }
}
