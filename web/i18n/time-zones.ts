/** The browser's time zone, as an IANA name such as 'Europe/Berlin'. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All time zones that the browser knows. */
export const allZones = () => Intl.supportedValuesOf('timeZone')

/** What clocks of a zone show at a time, as if it were UTC, in milliseconds. */
export function wallTime(timeZone: string, ms: number) {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day, hour, minute, second } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The time at which clocks of a zone show a time. Its offset is read twice, because the clocks may change in between. */
export function fromWallTime(timeZone: string, wall: number) {
  const guess = wall - (wallTime(timeZone, wall) - wall)
  return wall - (wallTime(timeZone, guess) - guess)
}
