import { limits } from '#contract/limits'
import { UNSEEN } from '#contract/text'

const LONGEST_ENDING = 20

/** A file's name as it is kept: no folders, nothing that does not show, and not too long; its ending stays. */
export function fileNameFrom(given: string): string {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(UNSEEN, '')
    .trim()
  if (name === '' || name === '.' || name === '..') return 'file'
  if (name.length <= limits.fileName) return name
  const [ending = ''] = /\.[^.]+$/.exec(name) ?? []
  const kept = ending.length <= LONGEST_ENDING ? ending : ''
  // A cut between two halves of one character leaves half of it.
  return `${name.slice(0, limits.fileName - kept.length)}${kept}`.replace(/\p{Cs}/gu, '')
}

/** What a browser shall do with it, and how it is called when it is saved (RFC 6266). */
export function disposition(name: string, isInline: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
