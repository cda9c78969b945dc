import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import { can } from '#contract/can'
import {
  addEmoji,
  addEmojiAlias,
  type CustomEmoji,
  downloadEmoji,
  listEmoji,
  MAX_EMOJI_UPLOAD_BYTES,
  removeEmoji,
} from '#contract/custom-emoji'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, invalidField, nameTaken, notFound, unauthenticated } from '../../errors.ts'
import { rangeOf } from '../../files/kept-file.ts'
import { storeEmoji } from '../../files/store-emoji.ts'
import { makeEmoji } from '../../files/thumbnail.ts'
import { drain } from '../../http/drain-body.ts'
import { createTurns } from '../../limits/turns.ts'
import { createEmojiList } from '../../people/custom-emoji.ts'
import { readPerson } from '../../people/profiles.ts'
import { byteRoute, encoder, route } from '../../route.ts'
import { acceptPictures, receivePicture, sendPicture } from './pictures.ts'

/** Each upload holds a whole picture in memory. */
const TURNS = { total: 2, perUser: 1 }

/** The workspace's own emoji. Everyone may see and use them. */
export default async function customEmoji(app: FastifyInstance) {
  const { bounds, db, people, pollSoon } = app
  const turns = createTurns(TURNS)
  const readEmoji = createEmojiList(db, people)
  await acceptPictures(app)

  const encode = encoder(listEmoji)
  /** By list, which is another one after each change: thousands of pages load it then. */
  const encoded = new WeakMap<CustomEmoji[], { all: Buffer; forGuests: Buffer }>()

  route(app, listEmoji, async ({ me }) => {
    const [emoji, person] = await Promise.all([readEmoji(), readPerson(db, me)])
    let bytes = encoded.get(emoji)
    if (!bytes) {
      // A guest may not know who added one.
      bytes = { all: encode(emoji), forGuests: encode(emoji.map(({ by: _, ...rest }) => rest)) }
      encoded.set(emoji, bytes)
    }
    return { encoded: can.seeEverybody(person) ? bytes.all : bytes.forGuests }
  })

  byteRoute(app, addEmoji, async ({ params: { name }, me, request, reply }) => {
    try {
      // Before the upload, which takes a while; checked again with the lock.
      await requireRoom(db, me, name)
      await turns(me, async () => {
        const pictures = await makeEmoji(await receivePicture(request, MAX_EMOJI_UPLOAD_BYTES), bounds.pictureBytes)
        if (!pictures) throw invalidField('file', 'errors.notAPicture')
        if (pictures === 'too large') throw invalidField('file', 'errors.movesTooLong')
        await storeEmoji(app, { names: [name], userId: me, pictures }, async (tx) => {
          await lockEmoji(tx, me)
          await requireRoom(tx, me, name)
          await writeAudit(tx, { kind: 'emoji_added', actorId: me, details: { emoji: name }, ...sourceOf(request) })
        })
      })
      pollSoon()
      return await reply.status(201).send(addEmoji.reply.parse(await find(name)))
    } finally {
      drain(request)
    }
  })

  route(app, addEmojiAlias, async ({ params: { name }, body: { alias }, me, request }) => {
    const main = await db.transaction().execute(async (tx) => {
      await lockEmoji(tx, me)
      if (!can.addEmoji(await readPerson(tx, me))) throw forbidden()
      const { id, mainName } = await readByName(tx, name)
      await refuseName(tx, alias, 'alias')
      const names = await tx.selectFrom('emoji_names').select('name').where('emojiId', '=', id).execute()
      if (names.length > limits.emoji.aliases)
        throw conflict('too_many_emoji', problem('errors.tooManyEmojiNames', { max: limits.emoji.aliases }))
      await tx.insertInto('emoji_names').values({ name: alias, emojiId: id, isAlias: true }).execute()
      await writeAudit(tx, { kind: 'emoji_added', actorId: me, details: { emoji: alias }, ...sourceOf(request) })
      return mainName
    })
    pollSoon()
    return find(main)
  })

  route(app, removeEmoji, async ({ params: { name }, me, request }) => {
    await db.transaction().execute(async (tx) => {
      await lockEmoji(tx, me)
      const { id, createdBy, isAlias } = await readByName(tx, name)
      const person = await readPerson(tx, me)
      // Whoever may give a further name may take one back.
      if (!can.removeEmoji(person, createdBy) && !(isAlias && can.addEmoji(person))) throw forbidden()
      if (isAlias) await tx.deleteFrom('emoji_names').where('name', '=', name).execute()
      else await tx.deleteFrom('emoji').where('id', '=', id).execute()
      const personId = createdBy === me ? null : createdBy
      await writeAudit(tx, {
        kind: 'emoji_removed',
        actorId: me,
        personId,
        details: { emoji: name },
        ...sourceOf(request),
      })
    })
    pollSoon()
    return undefined
  })

  byteRoute(app, downloadEmoji, async ({ params: { hash, form }, request, reply }) => {
    const found = await db.selectFrom('emoji').select(['fileId', 'sizes']).where('hash', '=', hash).executeTakeFirst()
    const index = form === 'moving' ? 1 : 0
    if (!found || found.sizes.length <= index) throw notFound('errors.fileNotFound')
    const range = rangeOf(found.sizes, index)
    return sendPicture(app, request, reply, { fileId: found.fileId, etag: `"${hash}.${form}"`, range })
  })

  async function find(name: string) {
    const emoji = (await readEmoji()).find((it) => it.name === name)
    // It may have been removed just now.
    if (!emoji) throw notFound('errors.emojiNotFound')
    return emoji
  }
}

/** One change at a time, so that no name is taken twice and the limits hold. */
async function lockEmoji(tx: Transaction<DB>, me: string) {
  await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
  if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
}

/** @throws AppError if somebody may not add an emoji, if there are too many, or if the name is taken */
async function requireRoom(db: Db | Transaction<DB>, me: string, name: string) {
  if (!can.addEmoji(await readPerson(db, me))) throw forbidden()
  await refuseName(db, name)
  const { n } = await db
    .selectFrom('emoji')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= limits.emoji.all) throw conflict('too_many_emoji', problem('errors.tooManyEmoji', { max: limits.emoji.all }))
}

async function readByName(tx: Transaction<DB>, name: string) {
  const found = await tx
    .selectFrom('emoji_names as named')
    .innerJoin('emoji', 'emoji.id', 'named.emojiId')
    .innerJoin('emoji_names as main', (join) =>
      join.onRef('main.emojiId', '=', 'emoji.id').on('main.isAlias', '=', false),
    )
    .select(['emoji.id', 'emoji.createdBy', 'named.isAlias', 'main.name as mainName'])
    .where('named.name', '=', name)
    .executeTakeFirst()
  if (!found) throw notFound('errors.emojiNotFound')
  return found
}

/** @throws AppError 409 `name_taken` if the workspace or Unicode has an emoji of that name */
async function refuseName(db: Db | Transaction<DB>, name: string, field = 'name') {
  const { emojiNamed } = await import('../../imports/readers/common/emoji.ts')
  if (emojiNamed(name)) throw nameTaken(field, 'errors.emojiNameStandard')
  const taken = await db.selectFrom('emoji_names').select('name').where('name', '=', name).executeTakeFirst()
  if (taken) throw nameTaken(field, 'errors.emojiNameTaken')
}
