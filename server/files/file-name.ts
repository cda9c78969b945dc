import { limits } from '#contract/limits'
import { shownText } from '#contract/text'

const LONGEST_ENDING = 20

/** The name that a form gives its file: quotes and line breaks cannot stand there, so browsers write them as below. */
export const decodeFormFileName = (filename: string) =>
  filename.replace(/%(22|0D|0A)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A file's name as it is kept: no folders, nothing that does not show, and not too long; its ending stays. */
export function sanitizeFileName(given: string): string {
  const line = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
  const name = shownText(line).trim()
  if (name === '' || name === '.' || name === '..') return 'file'
  if (name.length <= limits.fileName) return name
  const [ending = ''] = /\.[^.]+$/.exec(name) ?? []
  const kept = ending.length <= LONGEST_ENDING ? ending : ''
  // A cut between two halves of one character leaves half of it.
  return `${name.slice(0, limits.fileName - kept.length)}${kept}`.replace(/\p{Cs}/gu, '')
}

/** What a browser shall do with it, and how it is called when it is saved (RFC 6266). */
export function contentDisposition(name: string, isInline: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
