import data from '@emoji-mart/data' with { type: 'json' }
import { Emoji } from '#contract/emoji'

interface Names {
  emojis: Record<string, { skins: { native: string }[] }>
  aliases: Record<string, string>
}

const { emojis, aliases } = data as unknown as Names

/** Names that products have besides those of the emoji list. */
const MORE_NAMES: Record<string, string> = { simple_smile: 'slightly_smiling_face', hankey: 'hankey', tada: 'tada' }

/** The emoji of a name without colons, such as 'thumbsup' or 'thumbsup::skin-tone-2'; undefined for a custom one. */
export function emojiNamed(name: string): string | undefined {
  const [base = '', tone = ''] = name.toLowerCase().split('::')
  const id = [base, MORE_NAMES[base], aliases[base], base.replace(/^flag[-_]/, ''), base.replaceAll('_', '-')].find(
    (candidate) => candidate !== undefined && Object.hasOwn(emojis, candidate),
  )
  const skins = id === undefined ? [] : (emojis[id]?.skins ?? [])
  // The list of skins begins with the one without a tone; the first tone is number 2.
  const skin = /^skin-tone-([2-6])/.exec(tone)?.[1]
  return asEmoji(skins[skin ? Number(skin) - 1 : 0]?.native ?? skins[0]?.native ?? '')
}

/** An emoji as reactions have it: with the selector that some products leave out. */
export const asEmoji = (text: string): string | undefined =>
  [text, `${text}\ufe0f`, text.replaceAll('\ufe0f', '')].find((candidate) => Emoji.safeParse(candidate).success)

/** The emoji of code points such as '1f44d-1f3fd'. */
export function emojiOfCodes(codes: string): string | undefined {
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6}){0,15}$/i.test(codes)) return undefined
  const points = codes.split('-').map((code) => Number.parseInt(code, 16))
  return points.some((point) => point > 0x10ffff) ? undefined : asEmoji(String.fromCodePoint(...points))
}

/** `:name:` in a text, at a place where it is not part of a time or a path. */
const SHORT_NAME = /(?<![\w:])(:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):)/gi

/** Replaces names of emoji in a plain text. Custom emoji stay as they are written. */
export const withEmoji = (text: string) => text.replace(SHORT_NAME, (all, _, name: string) => emojiNamed(name) ?? all)
