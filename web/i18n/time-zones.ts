import { clockOf } from '#contract/time-zones'

/** The browser's time zone, as an IANA name such as 'Europe/Berlin'. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All time zones that the browser knows. */
export const allZones = () => Intl.supportedValuesOf('timeZone')

/** What clocks of a zone show at a time, as if it were UTC, in milliseconds. */
export const wallTime = (timeZone: string, ms: number) => clockOf(timeZone)(ms)

/** The time at which clocks of a zone show a time. Its offset is read twice, because the clocks may change in between. */
export function fromWallTime(timeZone: string, wall: number) {
  const guess = wall - (wallTime(timeZone, wall) - wall)
  return wall - (wallTime(timeZone, guess) - guess)
}
