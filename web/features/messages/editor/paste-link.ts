import { codeAt } from './code-ranges.ts'
import type { TextChange } from './edit-text.ts'

/** The link that a pasted address makes of the selected words; nothing where it is to be pasted as it is. */
export function linkOver(text: string, start: number, end: number, pasted: string): TextChange | undefined {
  const address = pasted.trim()
  const words = text.slice(start, end)
  if (words.trim() === '' || /\n\s*\n/.test(words) || isAddress(words.trim())) return undefined
  if (!isAddress(address) || codeAt(text, start) || codeAt(text, end)) return undefined
  // What would end the words or the address early.
  const label = words.replace(/[[\]]/g, '\\$&')
  const target = address.replace(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const link = `[${label}](${target})`
  return { from: start, to: end, text: link, select: [start + link.length, start + link.length] }
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
