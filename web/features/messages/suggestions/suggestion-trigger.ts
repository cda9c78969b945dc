import { codeAt } from '../editor/code-ranges.ts'

/** What somebody is about to name: by which sign, from where in the text, and what of it stands there by now. */
export interface Asked {
  kind: 'person' | 'channel' | 'emoji'
  from: number
  word: string
}

const kinds = { '@': 'person', '#': 'channel', ':': 'emoji' } as const

/** Not within a word, an address or an entity; some scripts put no space between words. */
const WORD =
  /(?<![[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][._\-]*|[@#:\&\/])([@#:])([[\p{L}\p{M}\p{N}]._+\-]*)$/v

/** Letters before which no emoji is meant: `:)` and `10:` are none. */
const SHORTEST_EMOJI = 2

/** The longest word that is looked at. */
const LONGEST = 80

/** What is being named where the caret stands. */
export function wordAt(text: string, caret: number): Asked | undefined {
  const start = Math.max(0, caret - LONGEST - 2)
  const found = WORD.exec(text.slice(start, caret))
  if (!found) return undefined
  const [, sign, word] = found as unknown as [string, keyof typeof kinds, string]
  const kind = kinds[sign]
  if (kind === 'emoji' && word.length < SHORTEST_EMOJI) return undefined
  const from = start + found.index
  return codeAt(text, from + 1) ? undefined : { kind, from, word: word.toLowerCase() }
}
