import type { FastifyInstance } from 'fastify'
import { avatarSizes, downloadAvatar, MAX_AVATAR_BYTES, removeAvatar, setAvatar } from '#contract/avatars'
import { isKnownTo } from '../../access/readable-channels.ts'
import { invalidField, notFound } from '../../errors.ts'
import { removeStoredAvatar, storeAvatar } from '../../files/avatars.ts'
import { rangeOf } from '../../files/kept-file.ts'
import { makeSquares } from '../../files/thumbnail.ts'
import { drain } from '../../http/drain-body.ts'
import { createTurns } from '../../limits/turns.ts'
import { guestChannelsOf } from '../../people/guest-channels.ts'
import { audienceOfPerson } from '../../realtime/rooms.ts'
import { byteRoute, route } from '../../route.ts'
import { acceptPictures, receivePicture, sendPicture } from './pictures.ts'

/** Each upload holds a whole picture in memory. */
const TURNS = { total: 4, perUser: 1 }

/** Pictures of people. They are visible to everyone who may know the person. */
export default async function avatars(app: FastifyInstance) {
  const { db, people, publish, bounds } = app
  const turns = createTurns(TURNS)
  await acceptPictures(app)

  byteRoute(app, setAvatar, async ({ me, request, reply }) => {
    try {
      const changed = await turns(me, async () => {
        const squares = await makeSquares(
          await receivePicture(request, MAX_AVATAR_BYTES),
          avatarSizes,
          bounds.pictureBytes,
        )
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
    const range = rangeOf(avatar.sizes, avatarSizes.indexOf(Number(size) as (typeof avatarSizes)[number]))
    return sendPicture(app, request, reply, { fileId: avatar.fileId, etag: `"${hash}.${size}"`, range })
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
