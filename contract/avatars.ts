import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { UserId } from './ids.ts'

/** Side length in pixels. */
export const avatarSizes = [48, 96, 256] as const
/** The largest upload, before it is scaled down. */
export const MAX_AVATAR_BYTES = 8 * 1024 * 1024

const sizes = avatarSizes.map(String) as ['48', '96', '256']

export const setAvatar = endpoint({
  method: 'PUT',
  path: '/api/users/me/avatar',
  summary: 'Set my picture: a PNG, JPEG, WebP, GIF or AVIF of at most 8 MB, of which the middle square is kept.',
  takes: 'multipart/form-data',
  body: z.object({ file: z.file() }),
  reply: z.object({ avatarUrl: z.string() }),
})

export const removeAvatar = endpoint({
  method: 'DELETE',
  path: '/api/users/me/avatar',
  summary: 'Remove my picture.',
  status: 204,
  reply: z.undefined(),
})

export const downloadAvatar = endpoint({
  method: 'GET',
  path: '/api/avatars/:userId/:hash/:size',
  summary:
    'The picture of a user, as a WebP of 48, 96 or 256 pixels. Another picture has another URL. Accepts the session cookie, too.',
  params: z.object({
    userId: UserId,
    hash: z.string().check(z.regex(/^[0-9a-f]{32}$/, fieldProblem('errors.notAnId'))),
    size: z.enum(sizes, fieldProblem('errors.notOneOf', { options: sizes.join(', ') })),
  }),
  gives: 'image/webp',
  alsoStatus: 304,
  reply: z.file(),
})
