import { codeAt } from '../editor/code-ranges.ts'

/** A name being typed: its kind, the offset of its sign (`@`, `#` or `:`), and the word so far, in lower case. */
export interface SuggestionTrigger {
  kind: 'person' | 'channel' | 'emoji'
  from: number
  word: string
}

const kindsBySign = { '@': 'person', '#': 'channel', ':': 'emoji' } as const

/** Not within a word, URL or HTML entity; some scripts put no spaces between words. */
const TRIGGER =
  /(?<![[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][._\-]*|[@#:\&\/])([@#:])([[\p{L}\p{M}\p{N}]._+\-]*)$/v

/** Shorter words may be something else, as in `:)` or `10:30`. */
const MIN_EMOJI_LENGTH = 2

const MAX_WORD_LENGTH = 80

/** The name being typed at the caret, if any. */
export function triggerAt(text: string, caret: number): SuggestionTrigger | undefined {
  const start = Math.max(0, caret - MAX_WORD_LENGTH - 2)
  const found = TRIGGER.exec(text.slice(start, caret))
  if (!found) return undefined
  const [, sign, word] = found as unknown as [string, keyof typeof kindsBySign, string]
  const kind = kindsBySign[sign]
  if (kind === 'emoji' && word.length < MIN_EMOJI_LENGTH) return undefined
  const from = start + found.index
  return codeAt(text, from + 1) ? undefined : { kind, from, word: word.toLowerCase() }
}
