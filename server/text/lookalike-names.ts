import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'
import { limits } from '#contract/limits'

/** Longer names are never stored, so the rest need not be read. */
const MAX_CHARACTERS = Math.max(limits.personName, limits.channelName)

const pairs = (text: string) =>
  new Map([...text.matchAll(/(.)(.)/gu)].map(([, like, letter]) => [like, letter] as const))
/** Small capitals and signs that people read as letters but that are not among Unicode's confusables. */
const SMALL_CAPITALS = pairs('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz')
const SIGNS = pairs('!l¡l¦l@a$s')
/** The first of 26 letters in parentheses (twice), in a black circle, in a black square, and of flags. */
const FIRST_LETTERS = [0x249c, 0x1f110, 0x1f150, 0x1f170, 0x1f1e6]
const LETTERS = 26
/** Pictographs, some of which are letters or digits as well. */
const EMOJI = /[\d#*]\ufe0f?\u20e3|[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/gu

function letterOf(character: string) {
  const code = character.codePointAt(0) as number
  const first = FIRST_LETTERS.find((it) => code >= it && code < it + LETTERS)
  return first === undefined ? SMALL_CAPITALS.get(character) : String.fromCharCode('a'.charCodeAt(0) + code - first)
}

const lettersOf = (text: string) => Array.from(text, (it) => letterOf(it) ?? it).join('')

const withoutAccents = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** More steps than any character needs to become stable. */
const MAX_STEPS = 5

/**
 * What a character resembles (Unicode's confusables), in lower case. Iterates, because the result may resemble something else in
 * turn: a small т resembles a small capital. A capital i and a small L look the same, so they are mapped to the same letter.
 */
function plain(character: string) {
  let text = character
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = withoutAccents(unhomoglyph(lettersOf(text))).toLowerCase()
    if (next === text) break
    text = next
  }
  return text.replace(/[\p{Pd}\u2212]/gu, '-').replace(/[i1|]/g, 'l')
}

interface Look {
  /** The letter that the character looks like. */
  plain: string
  /** Whether it is neither a letter nor a digit, but may stand for one, as in `Ass!stant`. */
  isSign: boolean
}

const looksOf = (name: string): Look[] =>
  Array.from(withoutAccents(lettersOf(name)).replace(/\s/gu, ''), (it) => ({
    plain: SIGNS.get(it) ?? plain(it),
    isSign: !/[\p{L}\p{N}]/u.test(it),
  }))

const textOf = (looks: Look[]) => looks.map((it) => it.plain).join('')
const wordOf = (looks: Look[]) => textOf(looks).replace(/[^\p{L}\p{N}]/gu, '')

/** Includes the lower-cased name: a capital may resemble a different letter than its lower-case form. */
function readingsOf(name: string) {
  const text = name.slice(0, MAX_CHARACTERS)
  return [text, text.toLowerCase()].map(looksOf)
}

/** The words that a name may be read as: its signs may be letters, decorate its ends, or separate its letters. */
function wordsOf(name: string) {
  const names = [name, name.slice(0, MAX_CHARACTERS).replace(EMOJI, '')]
  return names.flatMap(readingsOf).flatMap((looks) => {
    const isLetter = (it: Look) => !it.isSign
    const inner = looks.slice(Math.max(0, looks.findIndex(isLetter)), looks.findLastIndex(isLetter) + 1)
    return [looks, inner, looks.filter(isLetter)].map(wordOf)
  })
}

const wordFor = (name: string) => wordOf(looksOf(name))
const ASSISTANT_WORDS = ['assistant', 'assistantbot'].map(wordFor)
const BUCKET = wordFor(PUBLIC_FILES)
const DIRECT = textOf(looksOf('dm-'))

/**
 * Equal for usernames that look the same, such as `olga` and `0lga`. Usernames are in lower case, so `neil` doesn't look like
 * `nell`.
 */
export const lookOfUsername = (username: string) =>
  username.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')

/** Equal for people's names that look the same. Ignores spaces and signs, unless there is nothing else. */
export function lookOfName(name: string) {
  const looks = looksOf(name.slice(0, MAX_CHARACTERS))
  return wordOf(looks) || textOf(looks)
}

/** Whether a channel's name could be mistaken for that of a direct message or of the public files. */
export const looksReserved = (name: string) =>
  readingsOf(name).some((looks) => textOf(looks).startsWith(DIRECT)) || wordsOf(name).includes(BUCKET)

/** Whether a user's name could be mistaken for the assistant's. */
export const looksLikeAssistant = (name: string) => wordsOf(name).some((word) => ASSISTANT_WORDS.includes(word))
