import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'

/** Replaces letters by those they resemble (Unicode's confusables), in lower case. */
const plain = (text: string) => unhomoglyph(text).toLowerCase()

/** The appearance of a name without accents, spaces and kinds of dashes. Twice, because lower-casing changes what a letter resembles. */
const appearanceOf = (name: string) =>
  plain(plain(name.normalize('NFKD').replace(/\p{M}/gu, '')))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/gu, '')

/** Also lower-cased first: a capital may resemble another letter than its lower-case form. */
const appearancesOf = (name: string) => [appearanceOf(name), appearanceOf(name.toLowerCase())]

const withoutSeparators = (appearance: string) => appearance.replace(/[-_.]/g, '')

const ASSISTANT_APPEARANCES = ['assistant', 'assistantbot'].map(appearanceOf)
const DIRECT = appearanceOf('dm-')
const BUCKET = withoutSeparators(appearanceOf(PUBLIC_FILES))

/** Whether a channel's name could be mistaken for that of a direct message or of the public files. */
export const looksReserved = (name: string) =>
  appearancesOf(name).some((appearance) => appearance.startsWith(DIRECT) || withoutSeparators(appearance) === BUCKET)

/** Whether a user's name could be mistaken for the assistant's. */
export const looksLikeAssistant = (name: string) =>
  appearancesOf(name).some((appearance) => ASSISTANT_APPEARANCES.includes(withoutSeparators(appearance)))
