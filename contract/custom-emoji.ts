import * as z from 'zod/mini'
import { EmojiName } from './emoji.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Time } from './ids.ts'
import { Face } from './users.ts'

/** The largest upload, before it is scaled down. */
export const MAX_EMOJI_UPLOAD_BYTES = 4 * 1024 * 1024
/** After scaling down. */
export const MAX_EMOJI_BYTES = 256 * 1024
/** The longer side. */
export const EMOJI_SIDE_PX = 128

/** An emoji of the workspace. Texts, reactions and statuses contain it as `:name:`. */
export const CustomEmoji = z.object({
  name: z.string(),
  /** Further names, which mean the same in a text. */
  aliases: z.array(z.string()),
  url: z.string(),
  /** The first frame of one that moves; otherwise the same as `url`. */
  stillUrl: z.string(),
  createdAt: Time,
  /** Who added it; absent for guests. */
  by: z.optional(Face),
})
export type CustomEmoji = z.output<typeof CustomEmoji>

const params = z.object({ name: EmojiName })

export const listEmoji = endpoint({
  method: 'GET',
  path: '/api/emoji',
  summary: "The workspace's own emoji, by name.",
  reply: z.array(CustomEmoji),
})

export const addEmoji = endpoint({
  method: 'POST',
  path: '/api/emoji/:name',
  summary:
    'Add an emoji: a PNG, JPEG, WebP, GIF or AVIF of at most 4 MB, which is scaled down to 128 pixels. It may move. For those who may add emoji.',
  params,
  takes: 'multipart/form-data',
  body: z.object({ file: z.file() }),
  status: 201,
  reply: CustomEmoji,
})

export const addEmojiAlias = endpoint({
  method: 'POST',
  path: '/api/emoji/:name/aliases',
  summary: 'Give an emoji a further name. For those who may add emoji.',
  params,
  body: z.object({ alias: EmojiName }),
  status: 201,
  reply: CustomEmoji,
})

export const removeEmoji = endpoint({
  method: 'DELETE',
  path: '/api/emoji/:name',
  summary:
    'Remove an emoji with all its names or, if it is a further name, only that. Where it was used, `:name:` remains. For admins and whoever added it; a further name, for those who may add emoji.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const downloadEmoji = endpoint({
  method: 'GET',
  path: '/api/emoji/pictures/:hash/:form',
  summary:
    'The picture of an emoji, as a WebP of at most 128 pixels. Another picture has another URL. Accepts the session cookie, too.',
  params: z.object({
    hash: z.string().check(z.regex(/^[0-9a-f]{32}$/, fieldProblem('errors.notAnId'))),
    form: z.enum(['still', 'moving'], fieldProblem('errors.notOneOf', { options: 'still, moving' })),
  }),
  gives: 'image/webp',
  alsoStatus: 304,
  reply: z.file(),
})
