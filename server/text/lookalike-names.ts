import unhomoglyph from 'unhomoglyph'
import { PUBLIC_FILES } from '#contract/channel-name'
import { limits } from '#contract/limits'

/** No longer name is stored, so what stands behind need not be read. */
const MAX_CHARACTERS = Math.max(limits.personName, limits.channelName)

const pairs = (text: string) =>
  new Map([...text.matchAll(/(.)(.)/gu)].map(([, like, letter]) => [like, letter] as const))
/** Small capitals and signs that people read as letters, which are not among Unicode's confusables. */
const SMALL_CAPITALS = pairs('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz')
const SIGNS = pairs('!l¡l¦l@a$s')
/** The first of 26 letters in parentheses (twice), in a black circle, in a black square, and of a flag. */
const FIRST_LETTERS = [0x249c, 0x1f110, 0x1f150, 0x1f170, 0x1f1e6]
const LETTERS = 26
/** Pictures, some of which are letters or digits as well. */
const EMOJI = /[\d#*]\ufe0f?\u20e3|[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/gu

function letterOf(character: string) {
  const code = character.codePointAt(0) as number
  const first = FIRST_LETTERS.find((it) => code >= it && code < it + LETTERS)
  return first === undefined ? SMALL_CAPITALS.get(character) : String.fromCharCode('a'.charCodeAt(0) + code - first)
}

const lettersOf = (text: string) => Array.from(text, (it) => letterOf(it) ?? it).join('')

const withoutAccents = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** More than any character takes to become what no longer changes. */
const MAX_STEPS = 5

/**
 * What a character resembles (Unicode's confusables), in lower case. Step by step, because that resembles something else
 * in turn: a small т a small capital. A capital i and a small L look the same, so all of them become one.
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
  /** What the character looks like. */
  plain: string
  /** Whether it is neither a letter nor a digit, and may stand for one, as in `Ass!stant`. */
  isSign: boolean
}

const looksOf = (name: string): Look[] =>
  Array.from(withoutAccents(lettersOf(name)).replace(/\s/gu, ''), (it) => ({
    plain: SIGNS.get(it) ?? plain(it),
    isSign: !/[\p{L}\p{N}]/u.test(it),
  }))

const textOf = (looks: Look[]) => looks.map((it) => it.plain).join('')
const wordOf = (looks: Look[]) => textOf(looks).replace(/[^\p{L}\p{N}]/gu, '')

/** Also lower-cased first: a capital may resemble another letter than its lower-case form. */
function readingsOf(name: string) {
  const text = name.slice(0, MAX_CHARACTERS)
  return [text, text.toLowerCase()].map(looksOf)
}

/** The words that a name may be read as: its signs are letters, or decorate its ends, or separate its letters. */
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

/** The same for all usernames that look the same, such as `olga` and `0lga`. They have only small letters: `neil` is not `nell`. */
export const lookOfUsername = (username: string) =>
  username.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')

/** The same for all names of people that look the same. Spaces and signs don't count, unless there is nothing else. */
export function lookOfName(name: string) {
  const looks = looksOf(name.slice(0, MAX_CHARACTERS))
  return wordOf(looks) || textOf(looks)
}

/** Whether a channel's name could be mistaken for that of a direct message or of the public files. */
export const looksReserved = (name: string) =>
  readingsOf(name).some((looks) => textOf(looks).startsWith(DIRECT)) || wordsOf(name).includes(BUCKET)

/** Whether a user's name could be mistaken for the assistant's. */
export const looksLikeAssistant = (name: string) => wordsOf(name).some((word) => ASSISTANT_WORDS.includes(word))
