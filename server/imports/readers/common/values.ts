/** An object of an archive, whose fields may be missing or anything else. */
export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const objectsOf = (value: unknown): Fields[] => listOf(value).map(fieldsOf)

/** A map's value for a key, created if missing, to be added to in place: copying it for each addition takes quadratic time. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

/** A text that the database can store: without NUL and lone surrogates. Accepts numbers, as ids often are. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : ''
}

/** A number, or that of a numeric text; NaN for anything else, such as objects, which may fail to convert. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

/** The first non-empty text. */
export const firstText = (...values: unknown[]): string =>
  values.map((value) => textOf(value).trim()).find(Boolean) ?? ''
export const textsOf = (value: unknown): string[] => listOf(value).map(textOf).filter(Boolean)
export const sizeOf = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null

/** There is no chat from before 1990 to import, and after 9999 ISO 8601 has another form. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1990), Date.UTC(9999)]

/** ISO 8601 in UTC, of milliseconds. */
export const timeOfMs = (ms: number): string | null =>
  ms >= FIRST_MS && ms < LAST_MS ? new Date(ms).toISOString() : null

/** ISO 8601 in UTC with microseconds, of seconds written as '1706000000.123456'. */
export function timeOfSeconds(value: unknown): string | null {
  const [, seconds, fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(textOf(value)) ?? []
  const time = seconds === undefined ? null : timeOfMs(Number(seconds) * 1000)
  return time?.replace('.000Z', `.${fraction.padEnd(6, '0').slice(0, 6)}Z`) ?? null
}

/** A time without a zone, which `Date` would take for local time. */
const WITHOUT_ZONE = /T\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** ISO 8601 in UTC, of ISO 8601 in any zone (UTC without one), with as many decimals as it has, at most microseconds. */
export function timeOfText(value: unknown): string | null {
  const text = textOf(value)
  const time = timeOfMs(Date.parse(WITHOUT_ZONE.test(text) ? `${text}Z` : text))
  const [, more = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? []
  return time && more ? time.replace('Z', `${more}Z`) : time
}
