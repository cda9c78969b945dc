import { codeAt } from '../editor/code-ranges.ts'

/** A name that is being typed: its kind, the offset of its sign (`@`, `#` or `:`), and the word so far in lower case. */
export interface Asked {
  kind: 'person' | 'channel' | 'emoji'
  from: number
  word: string
}

const kinds = { '@': 'person', '#': 'channel', ':': 'emoji' } as const

/** Not within a word, URL or HTML entity; some scripts put no spaces between words. */
const WORD =
  /(?<![[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][._\-]*|[@#:\&\/])([@#:])([[\p{L}\p{M}\p{N}]._+\-]*)$/v

/** Shorter words are no emoji names, as in `:)` or `10:30`. */
const MIN_EMOJI_LENGTH = 2

const MAX_WORD_LENGTH = 80

/** The name being typed at the caret, if any. */
export function wordAt(text: string, caret: number): Asked | undefined {
  const start = Math.max(0, caret - MAX_WORD_LENGTH - 2)
  const found = WORD.exec(text.slice(start, caret))
  if (!found) return undefined
  const [, sign, word] = found as unknown as [string, keyof typeof kinds, string]
  const kind = kinds[sign]
  if (kind === 'emoji' && word.length < MIN_EMOJI_LENGTH) return undefined
  const from = start + found.index
  return codeAt(text, from + 1) ? undefined : { kind, from, word: word.toLowerCase() }
}
