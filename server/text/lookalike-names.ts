import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'

/** Small capitals, which are not among Unicode's confusables. */
const SMALL_CAPITALS = new Map(
  [...'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'.matchAll(/(.)(.)/gu)].map(
    ([, small, letter]) => [small, letter] as const,
  ),
)
/** The first of 26 letters in a circle, a square or of a flag, white on black. */
const WHITE_ON_BLACK = [0x1f150, 0x1f170, 0x1f1e6]
const LETTERS = 26

function letterOf(character: string) {
  const code = character.codePointAt(0) as number
  const first = WHITE_ON_BLACK.find((it) => code >= it && code < it + LETTERS)
  return first === undefined ? SMALL_CAPITALS.get(character) : String.fromCharCode('a'.charCodeAt(0) + code - first)
}

const lettersOf = (text: string) => Array.from(text, (it) => letterOf(it) ?? it).join('')

const withoutAccents = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Replaces letters by those they resemble (Unicode's confusables), in lower case. */
const plain = (text: string) => withoutAccents(unhomoglyph(text)).toLowerCase()

/**
 * The appearance of a name without accents, spaces and kinds of dashes. Twice, because lower-casing changes what a letter
 * resembles. A capital i and a small L look the same, so all of them become one.
 */
const appearanceOf = (name: string) =>
  plain(plain(lettersOf(withoutAccents(name))))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/gu, '')
    .replace(/[i1|!]/g, 'l')

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
