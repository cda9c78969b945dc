import { codeAt } from './code-ranges.ts'
import type { TextChange } from './edit-text.ts'

/** The markdown link of a URL pasted over selected words; undefined if it is to be pasted unchanged. */
export function linkOver(text: string, start: number, end: number, pasted: string): TextChange | undefined {
  const address = pasted.trim()
  const words = text.slice(start, end)
  if (words.trim() === '' || /\n\s*\n/.test(words) || isAddress(words.trim())) return undefined
  if (!isAddress(address) || codeAt(text, start) || codeAt(text, end)) return undefined
  // These would end the text or the URL early.
  const label = words.replace(/[[\]]/g, '\\$&')
  const target = address.replace(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const link = `[${label}](${target})`
  return { from: start, to: end, text: link, select: [start + link.length, start + link.length] }
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
