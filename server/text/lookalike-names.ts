import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'

/** Letters of other scripts as those they resemble (Unicode's table of confusables), small ones. */
const plain = (text: string) => unhomoglyph(text).toLowerCase()

/** What a name looks like, without accents and spaces, all dashes alike. Twice, because what was a capital has become small. */
const lookOf = (name: string) =>
  plain(plain(name.normalize('NFKD').replace(/\p{M}/gu, '')))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/gu, '')

/** Also with its case dropped first: a capital may resemble another letter than its small one does. */
const looksOf = (name: string) => [lookOf(name), lookOf(name.toLowerCase())]

const withoutJoints = (look: string) => look.replace(/[-_.]/g, '')

const ASSISTANT_LOOKS = ['assistant', 'assistantbot'].map(lookOf)
const DIRECT = lookOf('dm-')
const BUCKET = withoutJoints(lookOf(PUBLIC_FILES))

/** Whether a person could take a channel's name for that of a direct message or of the public files. */
export const looksReserved = (name: string) =>
  looksOf(name).some((look) => look.startsWith(DIRECT) || withoutJoints(look) === BUCKET)

/** Whether a person's name could be taken for the assistant's. */
export const looksLikeAssistant = (name: string) =>
  looksOf(name).some((look) => ASSISTANT_LOOKS.includes(withoutJoints(look)))
