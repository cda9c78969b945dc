/** A time of an archive in milliseconds; null if invalid. Future times are clamped to now. */
export function timeOf(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(at, 0), Date.now())
}
