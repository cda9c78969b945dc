import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'

/** Replaces letters by those they resemble (Unicode's confusables), in lower case. */
const plain = (text: string) => unhomoglyph(text).toLowerCase()

/** The appearance of a name without accents, spaces and kinds of dashes. Twice, because lower-casing changes what a letter resembles. */
const lookOf = (name: string) =>
  plain(plain(name.normalize('NFKD').replace(/\p{M}/gu, '')))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/gu, '')

/** Also lower-cased first: a capital may resemble another letter than its lower-case form. */
const looksOf = (name: string) => [lookOf(name), lookOf(name.toLowerCase())]

const withoutJoints = (look: string) => look.replace(/[-_.]/g, '')

const ASSISTANT_LOOKS = ['assistant', 'assistantbot'].map(lookOf)
const DIRECT = lookOf('dm-')
const BUCKET = withoutJoints(lookOf(PUBLIC_FILES))

/** Whether a channel's name could be mistaken for that of a direct message or of the public files. */
export const looksReserved = (name: string) =>
  looksOf(name).some((look) => look.startsWith(DIRECT) || withoutJoints(look) === BUCKET)

/** Whether a user's name could be mistaken for the assistant's. */
export const looksLikeAssistant = (name: string) =>
  looksOf(name).some((look) => ASSISTANT_LOOKS.includes(withoutJoints(look)))
