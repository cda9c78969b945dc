import { codeAt } from './code-ranges.ts'
import type { TextChange } from './edit-text.ts'

/** The markdown link for a URL pasted over selected words; undefined if the text should be pasted unchanged. */
export function pasteAsLink(text: string, start: number, end: number, pasted: string): TextChange | undefined {
  const url = pasted.trim()
  const words = text.slice(start, end)
  if (words.trim() === '' || /\n\s*\n/.test(words) || isUrl(words.trim())) return undefined
  if (!isUrl(url) || codeAt(text, start) || codeAt(text, end)) return undefined
  // These would end the text or the URL early.
  const label = words.replace(/[[\]]/g, '\\$&')
  const target = url.replace(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const link = `[${label}](${target})`
  return { from: start, to: end, text: link, select: [start + link.length, start + link.length] }
}

const isUrl = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
