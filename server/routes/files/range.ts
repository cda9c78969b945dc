import { badRange } from '../../errors.ts'
import type { Range } from '../../files/storage.ts'

/**
 * The part of a file that a `Range` header requests (RFC 9110, section 14); undefined means all of it, as for an invalid
 * header.
 * @throws AppError 416 for a part beyond the file, and for several parts, which no client needs and which multiply the work
 */
export function rangeIn(header: string | undefined, size: number): Range | undefined {
  const [, ranges] = /^bytes=\s*(.+)$/i.exec(header ?? '') ?? []
  if (ranges === undefined) return undefined
  if (ranges.includes(',')) throw badRange()
  const [, first, last] = /^(\d*)-(\d*)\s*$/.exec(ranges) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (start >= size || (first === '' && Number(last) === 0)) throw badRange()
  return { start, end }
}

/** Whether an `If-None-Match` header names the current version (by weak comparison). */
export const matchesEtag = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
