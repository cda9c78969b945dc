import { foldEmojiName } from '#contract/emoji'

const MAX_LENGTH = 32

/** What is typed as a name, as far as a name may contain it. */
export const tidyName = (typed: string) =>
  cut(
    foldEmojiName(typed)
      .replace(/\s+/g, '_')
      .replace(/[^\p{L}\p{M}\p{N}_+-]/gu, ''),
  )

/** A name for the emoji in a file: 'Party Parrot.gif' → 'party_parrot'. */
export const nameFromFile = (file: string) =>
  cut(tidyName(file.replace(/\.[^.]*$/, '')).replace(/^[_+-]+|[_+-]+$/g, ''))

/** Not within a character of two code units. */
const cut = (name: string) => [...name].slice(0, MAX_LENGTH).join('')
