/** Whether a name is a time zone of the IANA database that this machine knows, such as 'Europe/Berlin'. */
export function isTimeZone(name: string) {
  // Newer engines also take offsets such as '+02:00'.
  if (!/^[a-z]/i.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Reads what clocks of a zone show at a time, as if it were UTC, in milliseconds. @throws RangeError for an unknown zone */
export function clockOf(timeZone: string): (ms: number) => number {
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
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day, hour, minute, second } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
}
