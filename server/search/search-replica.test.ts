import { randomBytes } from 'node:crypto'
import { beforeAll, expect, inject, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase, urlOf } from '../test/support/database.ts'
import { actAs, type Person, serve, startParley } from '../test/support/parley.ts'
import { addNewerMessages, contents, find } from '../test/support/search.ts'

// DATABASE_READ_URL points to a copy of the database that never receives a change, like an extremely stale replica.

const CHECKS = { checkIntervalMs: 20, retryDelayMs: 20, maxLagMs: 3_600_000 }

let databaseUrl: string
let before: { ada: Person; bob: Person }
let channelId: string
let messages: { id: string }[]
let file: { id: string }

beforeAll(async () => {
  const parley = await startParley()
  databaseUrl = parley.databaseUrl
  before = await parley.people('ada', 'bob')
  const { ada, bob } = before
  channelId = (await ada.post('/api/channels', { name: 'zoo', isPrivate: true, members: [bob.id] })).body.id
  messages = []
  for (const text of ['a gnu', 'an okapi', 'a quagga']) messages.push(await ada.say(channelId, text))
  file = (await ada.upload(channelId, 'emu.txt')).body
  await addNewerMessages(parley.app.db, ada)
  // PostgreSQL copies only databases without connections.
  await parley.app.close()
})

async function copyDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  const onCluster = (statement: string) => onDatabase(inject('postgresUrl'), (client) => client.query(statement))
  await onCluster(`create database ${name} template ${new URL(databaseUrl).pathname.slice(1)}`)
  atEnd(() => onCluster(`drop database if exists ${name} with (force)`))
  return urlOf(databaseUrl, name)
}

async function openNode(readUrl: string) {
  let log = ''
  const logTo = {
    write(line: string) {
      log += line
    },
  }
  const settings = { DATABASE_URL: databaseUrl, DATABASE_READ_URL: readUrl, LOG_LEVEL: 'info' }
  const { app, address } = await serve(databaseUrl, settings, logTo, { replica: CHECKS })
  const here = (person: Person): Person => ({ ...person, ...actAs(app, address, person.token) })
  return {
    app,
    ada: here(before.ada),
    bob: here(before.bob),
    log: () => log,
    isAvailable: () => app.searchDatabases.replica?.isAvailable(),
    /** How often the replica's answer was outdated. */
    async outdated() {
      const { body } = await app.inject('/metrics')
      return Number(/queries_total\{outcome="outdated"\} (\d+)/.exec(body)?.[1] ?? 0)
    },
  }
}

test('the database of another workspace is rejected with a log line, and not searched', async () => {
  const other = await copyDatabase()
  await onDatabase(other, (client) => client.query('update workspace set epoch = gen_random_uuid()'))
  const node = await openNode(other)
  await expect.poll(node.log).toContain('it is the database of another workspace')
  expect(node.isAvailable()).toBe(false)
  expect(await contents(node.bob, 'gnu')).toEqual(['a gnu'])
  await node.app.close()
})

test('however stale the replica, removed members find nothing, and nobody finds edited or deleted text', async () => {
  const node = await openNode(await copyDatabase())
  const { ada, bob } = node
  await expect.poll(node.isAvailable).toBe(true)
  for (const word of ['gnu', 'okapi', 'quagga', 'emu']) expect(await find(bob, word)).toHaveLength(1)

  /** Use a different word for each change: the primary searches on its own if it doesn't confirm everything. */
  const findsNothing = async (person: Person, word: string) => {
    const before = await node.outdated()
    expect(await find(person, word)).toEqual([])
    // The replica was queried, and still has it.
    expect(await node.outdated()).toBe(before + 1)
  }
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  await findsNothing(bob, 'gnu')
  await findsNothing(bob, 'emu')
  await ada.put(`/api/messages/${messages[1]?.id}`, { content: 'edited' })
  await findsNothing(ada, 'okapi')
  await ada.delete(`/api/messages/${messages[2]?.id}`)
  await findsNothing(ada, 'quagga')
  expect(await find(ada, 'emu')).toHaveLength(1)
  await ada.delete(`/api/files/${file.id}`)
  await findsNothing(ada, 'emu')
  expect(await contents(ada, 'gnu')).toEqual(['a gnu'])
  await ada.delete(`/api/channels/${channelId}`)
  await findsNothing(ada, 'gnu')
  await node.app.close()
})
