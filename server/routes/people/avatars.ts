import { buffer } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { avatarSizes, downloadAvatar, MAX_AVATAR_BYTES, removeAvatar, setAvatar } from '#contract/avatars'
import { isKnownTo } from '../../access/readable-channels.ts'
import { AppError, fileTooLarge, invalid, invalidField, notFound } from '../../errors.ts'
import { removeStoredAvatar, sliceOf, storeAvatar } from '../../files/avatars.ts'
import { detectType, isPicture } from '../../files/file-type.ts'
import { countIncoming } from '../../files/incoming-stream.ts'
import { storageKeyOf } from '../../files/storage.ts'
import { makeSquares } from '../../files/thumbnail.ts'
import { createTurns } from '../../limits/turns.ts'
import { guestChannelsOf } from '../../people/guest-channels.ts'
import { audienceOfPerson } from '../../realtime/rooms.ts'
import { byteRoute, route } from '../../route.ts'
import { matchesEtag } from '../files/range.ts'
import { drain } from '../files/upload.ts'

const FORM_LIMITS = { fields: 5, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 6, headerPairs: 20 }
/** Each upload holds a whole picture in memory. */
const TURNS = { total: 4, perUser: 1 }
const UPLOAD_TIMEOUT_MS = 60_000
const YEAR_SECONDS = 365 * 24 * 3600

/** Pictures of people. They are visible to everyone who may know the person. */
export default async function avatars(app: FastifyInstance) {
  const { db, people, publish, storage, bounds } = app
  const turns = createTurns(TURNS)
  await app.register(multipart, { limits: { ...FORM_LIMITS, fileSize: Number.MAX_SAFE_INTEGER } })

  byteRoute(app, setAvatar, async ({ me, request, reply }) => {
    try {
      const changed = await turns(me, async () => {
        const squares = await makeSquares(await receivePicture(request), avatarSizes, bounds.pictureBytes)
        if (!squares) throw invalidField('file', 'errors.notAPicture')
        return storeAvatar(app, me, squares)
      })
      await publishChange(me, changed)
      return await reply.send(setAvatar.reply.parse(changed))
    } finally {
      drain(request)
    }
  })

  route(app, removeAvatar, async ({ me }) => {
    const changed = await removeStoredAvatar(db, me)
    if (changed) await publishChange(me, changed)
    return undefined
  })

  byteRoute(app, downloadAvatar, async ({ params: { userId, hash, size }, me, request, reply }) => {
    const avatar = await db
      .selectFrom('avatars')
      .select(['fileId', 'sizes'])
      .where('userId', '=', userId)
      .where('hash', '=', hash)
      .where(isKnownTo(me, 'avatars.userId'))
      .executeTakeFirst()
    if (!avatar) throw notFound('errors.fileNotFound')
    const etag = `"${hash}.${size}"`
    reply.headers({
      // The URL contains a hash of the content.
      'cache-control': `private, max-age=${YEAR_SECONDS}, immutable`,
      // A browser's cache must not serve one session's file to another.
      vary: 'Cookie, Authorization',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      etag,
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    const { start, length, total } = sliceOf(avatar.sizes, Number(size) as (typeof avatarSizes)[number])
    const bytes = await storage.read(storageKeyOf(avatar.fileId), total, { start, end: start + length - 1 })
    if (!bytes) {
      reply.removeHeader('cache-control').removeHeader('etag')
      throw notFound('errors.fileNotFound')
    }
    return reply.headers({ 'content-type': 'image/webp', 'content-length': length }).send(bytes)
  })

  async function publishChange(me: string, changed: { avatarUrl: string | null; peopleVersion: number }) {
    people.invalidateBefore(changed.peopleVersion)
    const { channels, ...person } = await db
      .selectFrom('users')
      .select(['id', 'username', 'name', 'color', guestChannelsOf('users.id').as('channels')])
      .where('id', '=', me)
      .executeTakeFirstOrThrow()
    publish(audienceOfPerson(me, channels), 'user:updated', { ...person, ...changed })
  }
}

/** Reads the form's one file. @throws AppError 413 or 400 */
async function receivePicture(request: FastifyRequest): Promise<Buffer> {
  const connection = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete) connection.abort()
  })
  const signal = AbortSignal.any([connection.signal, AbortSignal.timeout(UPLOAD_TIMEOUT_MS)])
  const max = { bytes: MAX_AVATAR_BYTES, refused: () => fileTooLarge(MAX_AVATAR_BYTES) }
  let picture: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue
      if (part.fieldname !== 'file' || picture) throw invalidField('file', 'errors.mustBeOnlyFile')
      const { bytes, received } = countIncoming(part.file, max, signal)
      picture = await buffer(bytes)
      if (!isPicture(await detectType(received().sample, part.mimetype)))
        throw invalidField('file', 'errors.notAPicture')
    }
  } catch (error) {
    if (error instanceof AppError || (error as FastifyError).statusCode) throw error
    throw (error as { code?: string }).code ? error : invalid('errors.malformedForm')
  }
  if (!picture) throw invalidField('file', 'errors.required')
  return picture
}
