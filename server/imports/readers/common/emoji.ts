import data from '@emoji-mart/data' with { type: 'json' }
import { customName, Emoji } from '#contract/emoji'
import type { OmissionReport } from '../../records.ts'
import type { EmojiTable } from './emoji-names/emoji-table.ts'

interface EmojiData {
  emojis: Record<string, { skins: { native: string }[] }>
  aliases: Record<string, string>
}

const { emojis, aliases } = data as unknown as EmojiData

const idsByEmoji = new Map(Object.entries(emojis).map(([id, { skins }]) => [skins[0]?.native, id]))

/** Names used by products in addition to those of the emoji list. */
const MORE_NAMES: Record<string, string> = { simple_smile: 'slightly_smiling_face', hankey: 'hankey', tada: 'tada' }

const NO_NAMES: EmojiTable = new Map()

const TONES = ['light', 'medium_light', 'medium', 'medium_dark', 'dark']
/** As written by Slack, Rocket.Chat and Mattermost. */
const TONE = /^(.+?)(?:::skin-tone-([2-6]).*|_tone([1-5])|_((?:medium_)?(?:light|dark)|medium)_skin_tone)$/

/**
 * The emoji of a name without colons, such as 'thumbsup' or 'thumbsup::skin-tone-2'; undefined for a custom one.
 *
 * @param names the product's own
 */
export function emojiNamed(name: string, names = NO_NAMES): string | undefined {
  const written = name.toLowerCase()
  const [, base = written, fromTwo = 1, fromOne = 0, word = ''] = TONE.exec(written) ?? []
  // The list of skins starts with the one without a tone.
  const tone = Math.max(Number(fromTwo) - 1, Number(fromOne), TONES.indexOf(word) + 1)
  const known = [
    idsByEmoji.get(names.get(base) ?? ''),
    base,
    MORE_NAMES[base],
    aliases[base],
    base.replaceAll('_', '-'),
  ]
  const id = known.find((candidate) => candidate !== undefined && Object.hasOwn(emojis, candidate))
  const skins = id === undefined ? [] : (emojis[id]?.skins ?? [])
  return asEmoji(skins[tone]?.native ?? skins[0]?.native ?? '') ?? flagOf(base)
}

/** The flag of a name such as 'flag-de'. */
function flagOf(name: string) {
  const [, region] = /^flag[-_]([a-z]{2})$/.exec(name) ?? []
  return region && asEmoji(region.replace(/./g, (letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 97)))
}

/** An emoji in the form of reactions: with the variation selector that some products omit. */
export const asEmoji = (text: string): string | undefined =>
  [text, `${text}\ufe0f`, text.replaceAll('\ufe0f', '')].find((candidate) => Emoji.safeParse(candidate).success)

/** An emoji in a reaction, or `:name:` for a valid name of one of the workspace. */
export const asAnyEmoji = (text: string): string | undefined => {
  const name = customName(text)
  return name === undefined ? asEmoji(text) : `:${name}:`
}

/** The emoji of a name without colons, or `:name:` for one of the workspace. Undefined if it can't be a name. */
export const emojiOrName = (name: string, names = NO_NAMES): string | undefined =>
  emojiNamed(name, names) ?? asAnyEmoji(`:${name}:`)

/** Reports an emoji of a reaction that will be shown as `:name:`, or not at all. */
export function reportPictureless(
  name: string,
  emoji: string | undefined,
  pictures: { has(name: string): boolean },
  report: OmissionReport,
) {
  if (emoji === undefined || (emoji.startsWith(':') && !pictures.has(emoji.slice(1, -1))))
    report.add('customEmoji', `:${name}:`)
}

/** The emoji of code points such as '1f44d-1f3fd'. */
export function emojiOfCodes(codes: string): string | undefined {
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6}){0,15}$/i.test(codes)) return undefined
  const points = codes.split('-').map((code) => Number.parseInt(code, 16))
  return points.some((point) => point > 0x10ffff) ? undefined : asEmoji(String.fromCodePoint(...points))
}

/** `:name:` in a text, but not as part of a time or a path. */
const SHORT_NAME = /(?<![\w:])(:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):)/gi

/** Replaces emoji names in plain text. Custom emoji are left unchanged. */
export const withEmoji = (text: string, names = NO_NAMES) =>
  text.replace(SHORT_NAME, (all, _, name: string) => emojiNamed(name, names) ?? all)
