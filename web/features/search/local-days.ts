import { isMoment, readQuery } from '#contract/search-query'

const DAY_LENGTH = '2026-01-31'.length

/** A day of the reader's calendar, as written in a query: '2026-01-31'. */
export function localDay(now: Date, daysAgo = 0): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${day.getFullYear()}-${month}-${date}`
}

/** Replaces the days of `before:` and `after:` with times, because the server takes days as UTC. */
export function withLocalDays(query: string): string {
  const days = readQuery(query).filters.filter(
    ({ name, value }) => (name === 'before' || name === 'after') && value.length === DAY_LENGTH,
  )
  return days.reduceRight((rest, { name, value, text, at }) => {
    // The given day is excluded, so `after:` begins with the next one.
    const time = new Date(name === 'before' ? startOf(value) : startOf(value, 1) - 1).toISOString()
    return isMoment(time) ? `${rest.slice(0, at)}${name}:${time}${rest.slice(at + text.length)}` : rest
  }, query)
}

/** The local start of a day, or of the one `later` days after it, in milliseconds since 1970. */
function startOf(day: string, later = 0): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const start = new Date(2000, 0, 1)
  // The constructor maps years before 100 to the 20th century.
  start.setFullYear(year, month - 1, date + later)
  return start.getTime()
}
