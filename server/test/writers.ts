import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { afterAll, inject } from 'vitest'
import { openDatabase } from '../db/database.ts'
import type { MessageRow } from '../message-rows.ts'
import { lockChannel, moveRev } from '../rev.ts'
import { createWriter } from '../writer.ts'
import { onDatabase, TEMPLATE, urlOf } from './database.ts'

/** A database of its own with people and channels in it, and writers onto it; gone when the test file ends. */
export async function openLedger() {
  const postgresUrl = inject('postgresUrl')
  const database = `test_${randomBytes(6).toString('hex')}`
  await onDatabase(postgresUrl, (client) => client.query(`create database ${database} template ${TEMPLATE}`))
  const url = urlOf(postgresUrl, database)
  const { log } = Fastify({ logger: { level: 'silent' } })
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
    await onDatabase(postgresUrl, (client) => client.query(`drop database if exists ${database} with (force)`))
  })

  /** A writer as one node has it, with what it told. Revisions of `change` are told by `moved`. */
  function openWriter(through = url) {
    const { db, pool } = openDatabase(through, { onError: () => {}, max: 8 })
    closing.push(() => db.destroy())
    const told: { channelId: string; rev: number }[] = []
    const tell = async (messages: MessageRow[]) => void told.push(...messages)
    const writer = createWriter({ db, pool, log, tell })

    /** Changes the text of the message at a place, if there is one; `text` undefined deletes it. */
    const rewrite = (channelId: string, seq: number, text: string | undefined) =>
      writer.change(
        channelId,
        async (tx) => {
          await lockChannel(tx, channelId)
          const message = tx.selectFrom('messages').where('channelId', '=', channelId).where('seq', '=', seq)
          const found = await message.select('id').executeTakeFirst()
          if (!found) return undefined
          const { rev } = await moveRev(tx, channelId)
          const to = text === undefined ? { content: '', deletedAt: sql<string>`now()` } : { content: text }
          await tx
            .updateTable('messages')
            .set({ ...to, rev })
            .where('id', '=', found.id)
            .execute()
          return rev
        },
        (rev) => rev && told.push({ channelId, rev }),
      )
    return { writer, told, rewrite, db }
  }

  const setUp = openWriter()
  const { db } = setUp
  async function addPeople(...names: string[]) {
    const people = names.map((name) => ({ id: uuid(), name, username: `${name}${randomBytes(4).toString('hex')}` }))
    await db
      .insertInto('users')
      .values(people.map((it) => ({ ...it, email: `${it.username}@example.com` })))
      .execute()
    return people.map(({ id }) => id)
  }
  /** Makes channels with the given members; their revisions begin at 0. */
  async function addChannels(count: number, members: string[]) {
    const ids = Array.from({ length: count }, () => uuid())
    await db
      .insertInto('channels')
      .values(ids.map((id) => ({ id, kind: 'public', name: id, memberCount: members.length })))
      .execute()
    const memberships = ids.flatMap((channelId) => members.map((userId) => ({ channelId, userId })))
    if (memberships.length > 0) await db.insertInto('memberships').values(memberships).execute()
    return ids
  }
  const stored = (channelIds: string[]) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('channelId', 'in', channelIds)
      .orderBy('channelId')
      .orderBy('seq')
      .execute()
  const channel = (id: string) =>
    db.selectFrom('channels').select(['seq', 'rev', 'memberCount']).where('id', '=', id).executeTakeFirstOrThrow()

  /** Holds a channel in a transaction of its own until `release`. */
  async function hold(...channelIds: string[]) {
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from channels where id = any($1) for update', [channelIds])
    return { release: () => holder.query('rollback').then(() => holder.end()) }
  }

  return { url, db, openWriter, addPeople, addChannels, stored, channel, hold }
}

/** What became of each: the value, or the status of the refusal (which must be one of ours). */
export const settle = async <T>(calls: Promise<T>[]): Promise<(T | number)[]> =>
  Promise.all(
    calls.map((call) =>
      call.catch((error) => (typeof error.status === 'number' ? error.status : Promise.reject(error))),
    ),
  )
