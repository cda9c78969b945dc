import { badRange } from '../../errors.ts'
import type { Range } from '../../files/storage.ts'

/**
 * The part of a file that a `Range` header asks for (RFC 9110, section 14); undefined means all of it, as for a header
 * that is none.
 * @throws AppError 416 for a part that is not there, and for several: nobody needs them, and they multiply the work
 */
export function rangeIn(header: string | undefined, size: number): Range | undefined {
  const [, asked] = /^bytes=\s*(.+)$/i.exec(header ?? '') ?? []
  if (asked === undefined) return undefined
  if (asked.includes(',')) throw badRange()
  const [, first, last] = /^(\d*)-(\d*)\s*$/.exec(asked) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (start >= size || (first === '' && Number(last) === 0)) throw badRange()
  return { start, end }
}

/** Whether a reader's `If-None-Match` names what they would get (weakly, as such headers compare). */
export const holds = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((it) => it.trim().replace(/^W\//, '') === etag))
