import { limits } from '#contract/limits'
import { shownText } from '#contract/text'

const MAX_EXTENSION_LENGTH = 20

/** Decodes the escapes that browsers use for quotes and line breaks in form file names. */
export const decodeFormFileName = (filename: string) =>
  filename.replace(/%(22|0D|0A)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Removes folders and invisible characters, and shortens long names but keeps their extension. */
export function sanitizeFileName(original: string): string {
  const line = original
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
  const name = shownText(line).trim()
  if (name === '' || name === '.' || name === '..') return 'file'
  if (name.length <= limits.fileName) return name
  const [ending = ''] = /\.[^.]+$/.exec(name) ?? []
  const extension = ending.length <= MAX_EXTENSION_LENGTH ? ending : ''
  // The cut may have left half of a surrogate pair.
  return `${name.slice(0, limits.fileName - extension.length)}${extension}`.replace(/\p{Cs}/gu, '')
}

/** The `Content-Disposition` header (RFC 6266). */
export function contentDisposition(name: string, isInline: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
