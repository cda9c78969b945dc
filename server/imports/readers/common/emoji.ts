import data from '@emoji-mart/data' with { type: 'json' }
import { Emoji } from '#contract/emoji'

interface Names {
  emojis: Record<string, { skins: { native: string }[] }>
  aliases: Record<string, string>
}

const { emojis, aliases } = data as unknown as Names

/** Names used by products in addition to those of the emoji list. */
const MORE_NAMES: Record<string, string> = { simple_smile: 'slightly_smiling_face', hankey: 'hankey', tada: 'tada' }

/** The emoji of a name without colons, such as 'thumbsup' or 'thumbsup::skin-tone-2'; undefined for a custom one. */
export function emojiNamed(name: string): string | undefined {
  const [base = '', tone = ''] = name.toLowerCase().split('::')
  const id = [base, MORE_NAMES[base], aliases[base], base.replace(/^flag[-_]/, ''), base.replaceAll('_', '-')].find(
    (candidate) => candidate !== undefined && Object.hasOwn(emojis, candidate),
  )
  const skins = id === undefined ? [] : (emojis[id]?.skins ?? [])
  // The list of skins starts with the one without a tone; the first tone is number 2.
  const skin = /^skin-tone-([2-6])/.exec(tone)?.[1]
  return asEmoji(skins[skin ? Number(skin) - 1 : 0]?.native ?? skins[0]?.native ?? '')
}

/** An emoji in the form of reactions: with the variation selector that some products omit. */
export const asEmoji = (text: string): string | undefined =>
  [text, `${text}\ufe0f`, text.replaceAll('\ufe0f', '')].find((candidate) => Emoji.safeParse(candidate).success)

/** The emoji of code points such as '1f44d-1f3fd'. */
export function emojiOfCodes(codes: string): string | undefined {
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6}){0,15}$/i.test(codes)) return undefined
  const points = codes.split('-').map((code) => Number.parseInt(code, 16))
  return points.some((point) => point > 0x10ffff) ? undefined : asEmoji(String.fromCodePoint(...points))
}

/** `:name:` in a text, but not as part of a time or a path. */
const SHORT_NAME = /(?<![\w:])(:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):)/gi

/** Replaces emoji names in plain text. Custom emoji are left unchanged. */
export const withEmoji = (text: string) => text.replace(SHORT_NAME, (all, _, name: string) => emojiNamed(name) ?? all)
