/** A parsed search query. Everything but filters is searched for literally. */
interface SearchQuery {
  /** Words and quoted phrases; a result contains all of them. */
  terms: string[]
  filters: SearchFilter[]
}

const filterNames = ['from', 'in', 'before', 'after', 'has'] as const
export type FilterName = (typeof filterNames)[number]

export const hasKinds = ['link', 'file', 'reaction'] as const
export type HasKind = (typeof hasKinds)[number]

export interface SearchFilter {
  name: FilterName
  /** A username or `me`; a channel name, or usernames after `@`; a day; a kind. In lower case. */
  value: string
  /** The value as typed, because the database has its own rules for lower case, such as that of İ. */
  written: string
  /** The filter as typed, searched for literally if the value matches nothing. */
  text: string
  /** Where it begins in the query. */
  at: number
}

// At the start of each word: a filter, a quoted phrase that ends with its word, or anything up to a space. Quotes inside a
// filter's quoted value are doubled.
const WORD =
  /(?<filter>(?<name>from|in|before|after|has):(?:"(?<quoted>(?:[^"]|"")+)"|(?<value>[^\s"]\S*)))(?=\s|$)|["“”„](?<phrase>.+?)["“”](?=\s|$)|(?<word>\S+)/gisu

/** Parses a query. Never fails: anything that is not a filter is a word. */
export function readQuery(typed: string): SearchQuery {
  const query: SearchQuery = { terms: [], filters: [] }
  for (const { groups = {}, index: at } of typed.matchAll(WORD)) {
    const { filter, name = '', quoted, value = '', phrase, word } = groups
    if (filter) {
      const written = quoted?.replaceAll('""', '"') ?? value
      const meant = { name: name.toLowerCase() as FilterName, value: written.toLowerCase(), written, text: filter, at }
      if (isMeaningful(meant)) query.filters.push(meant)
      else query.terms.push(filter)
    } else query.terms.push(phrase ?? word ?? '')
  }
  return query
}

/** The filter being typed before the caret, to complete its value; `start` is the value's offset. */
export function filterBefore(typed: string, caret: number): { name: FilterName; value: string; start: number } | null {
  const found = /(?:^|\s)(from|in|before|after|has):("(?:[^"]|"")*|[^\s"]*)$/iu.exec(typed.slice(0, caret))
  if (!found) return null
  const [, name = '', value = ''] = found
  return {
    name: name.toLowerCase() as FilterName,
    value: (value.startsWith('"') ? value.slice(1).replaceAll('""', '"') : value).toLowerCase(),
    start: caret - value.length,
  }
}

/** A filter as it is typed. */
export const filterText = (name: FilterName, value: string) =>
  /\s|^"/.test(value) ? `${name}:"${value.replaceAll('"', '""')}"` : `${name}:${value}`

function isMeaningful({ name, value }: SearchFilter): boolean {
  if (name === 'has') return hasKinds.some((kind) => kind === value)
  return name === 'from' || name === 'in' || isMoment(value.toUpperCase())
}

const MONTHS =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])'
const LEAP_YEAR = '\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00'
/** A day of the calendar (`2026-01-31`), or a time in ISO 8601 and UTC. */
export const MOMENT = new RegExp(
  `^(?:\\d{4}-(?:${MONTHS})|(?:${LEAP_YEAR})-02-29)(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?Z)?$`,
)
export const isMoment = (text: string) => MOMENT.test(text)

/** The range of times, in milliseconds since 1970, of `before:` and `after:`; the given days are excluded. */
export function momentsOf(before: string | undefined, after: string | undefined) {
  const DAY = 24 * 3600 * 1000
  return {
    until: before === undefined ? undefined : Date.parse(before),
    since: after === undefined ? undefined : Date.parse(after) + (after.length === 10 ? DAY : 1),
  }
}
