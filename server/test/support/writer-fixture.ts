import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import Fastify from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { inject } from 'vitest'
import { bumpRev, lockChannel } from '../../channels/revision.ts'
import { databaseFailure, openDatabase } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { MessageRow } from '../../messages/message-rows.ts'
import { createWriter } from '../../messages/writer.ts'
import { atEnd } from './cleanup.ts'
import { createDatabase } from './database.ts'

/** A database with helpers for people, channels and writers; removed when the test file ends. */
export async function openWriterFixture() {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const { log } = Fastify({ logger: { level: 'silent' } })
  atEnd(drop)

  /** The writer of one node, with the revisions it published. */
  function openWriter(through = url) {
    const { db, pool } = openDatabase(through, { onError: () => {}, max: 8 })
    atEnd(() => db.destroy())
    const published: { channelId: string; rev: number }[] = []
    const publish = async (messages: MessageRow[]) => {
      // Takes a varying time, to reveal out-of-order publishing.
      await sleep((published.length % 3) * 3)
      published.push(...messages)
    }
    const writer = createWriter({ db, pool, log, publish, removals: { note() {} } })

    /** Edits the message with this `seq`, if any; deletes it if `text` is undefined. */
    const rewrite = (channelId: string, seq: number, text: string | undefined) =>
      writer.change(
        channelId,
        async (tx) => {
          await lockChannel(tx, channelId)
          const message = tx.selectFrom('messages').where('channelId', '=', channelId).where('seq', '=', seq)
          const found = await message.select('id').executeTakeFirst()
          if (!found) return undefined
          const { rev } = await bumpRev(tx, channelId)
          const to = text === undefined ? { content: '', deletedAt: sql<string>`now()` } : { content: text }
          await tx
            .updateTable('messages')
            .set({ ...to, rev })
            .where('id', '=', found.id)
            .execute()
          return rev
        },
        (rev) => rev && published.push({ channelId, rev }),
      )
    return { writer, published, rewrite, db }
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
  /** Creates channels with the given members at revision 0. */
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

  /** Locks channels in a transaction until `release`. */
  async function hold(...channelIds: string[]) {
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from channels where id = any($1) for update', [channelIds])
    return { release: () => holder.query('rollback').then(() => holder.end()) }
  }

  return { url, db, openWriter, addPeople, addChannels, stored, channel, hold }
}

/** Each call's result, or the status of its error. */
export const settle = async <T>(calls: Promise<T>[]): Promise<(T | number)[]> =>
  Promise.all(
    calls.map((call) =>
      call.catch((error) => {
        if (error instanceof AppError) return error.status
        if (databaseFailure(error)?.status === 503) return 503
        throw error
      }),
    ),
  )

/** A proxy to the database that can be paused. */
export async function startFreezableProxy(url: string) {
  const to = new URL(url)
  const { hostname, port } = to
  const sockets: Socket[] = []
  const door = createServer((client) => {
    const server = dial(Number(port), hostname)
    client.pipe(server).pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy())
    sockets.push(client)
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  door.unref()
  to.hostname = '127.0.0.1'
  to.port = String((door.address() as { port: number }).port)
  return {
    address: to.href,
    pause: () => {
      for (const socket of sockets) socket.pause()
    },
    resume: () => {
      for (const socket of sockets) socket.resume()
    },
  }
}

export const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

/** A random concurrent action, for property tests. */
export const action = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('send' as const) },
    { weight: 1, arbitrary: fc.constantFrom('edit' as const, 'delete' as const, 'join' as const) },
  ),
  who: fc.nat(3),
  where: fc.nat(3),
  node: fc.nat(1),
  /** Few keys, so that many repeat; null for none. */
  key: fc.option(fc.nat(40), { freq: 8 }),
  /** Starts together with the previous action, one turn of the event loop later, or some time later. */
  pause: fc.constantFrom('none', 'none', 'none', 'turn', 'moment'),
})
