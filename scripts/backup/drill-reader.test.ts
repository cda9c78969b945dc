import { beforeEach, expect, test } from 'vitest'
import { storageKeyOf } from '../../server/files/storage.ts'
import { SECRET, startParley } from '../../server/test/support/parley.ts'
import { chooseReader, readAs } from './drill-reader.ts'

const NOBODY = 'No member with an active account could read its newest messages, so nothing was read.'

/** A workspace whose newest message is in a channel of Ada and Bob. */
async function open() {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  const { body: kitchen } = await ada.post('/api/channels', { name: 'kitchen' })
  await bob.post(`/api/channels/${kitchen.id}/join`)
  const { body: channels } = await ada.get('/api/channels')
  const general = channels.channels.find((it: { name: string }) => it.name === 'general').id
  await ada.say(general, 'Earlier')
  const soup = await bob.say(kitchen.id, 'Soup at noon')
  const choose = (missing: string[] = []) => chooseReader(parley.databaseUrl, SECRET, missing)
  /** What a drill prints. */
  const drill = async (missing: string[] = []) => {
    const reader = await choose(missing)
    return typeof reader === 'string' ? reader : readAs(reader, parley.address)
  }
  return { parley, ada, bob, kitchen, soup, general, choose, drill, db: parley.app.db }
}

let it: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  it = await open()
})

test('a member reads the newest message, and a file whose bytes the backup has', async () => {
  const { ada, kitchen, drill, choose, soup } = it
  expect(await choose()).toMatchObject({ messageId: soup.id, channelId: kitchen.id, file: undefined })
  expect(await drill()).toBe('Signed in, and read the newest messages; there was no file to read.')
  const { body: older } = await ada.upload(kitchen.id, 'menu.txt', 'leek and potato')
  const { body: newer } = await ada.upload(kitchen.id, 'größe & 100%.txt', 'other bytes')
  expect(await choose()).toMatchObject({ file: { id: newer.id } })
  expect(await drill()).toBe('Signed in, and read the newest messages and a file.')
  const missing = [storageKeyOf(newer.id)]
  expect(await choose(missing)).toMatchObject({ file: { id: older.id } })
  expect(await drill(missing)).toBe('Signed in, and read the newest messages and a file.')
})

test('a second factor that the owner demands is in nobody’s way', async () => {
  await it.db.updateTable('workspace').set({ demandsSecondFactor: true }).execute()
  expect(await it.drill()).toContain('read the newest messages')
})

test('deleted messages at the end of a channel, and a deleted channel, are passed over', async () => {
  const { bob, ada, kitchen, soup, general, drill, choose } = it
  for (let n = 0; n < 60; n++) {
    const { id } = await bob.say(kitchen.id, `Never mind ${n}`)
    await bob.delete(`/api/messages/${id}`)
  }
  expect(await choose()).toMatchObject({ messageId: soup.id })
  expect(await drill()).toContain('read the newest messages')
  await ada.delete(`/api/channels/${kitchen.id}`)
  expect(await choose()).toMatchObject({ channelId: general })
  expect(await drill()).toContain('read the newest messages')
})

test('guests and deactivated people are not asked; if nobody is left, that is said', async () => {
  const { db, ada, bob, choose, drill } = it
  await db.updateTable('users').set({ role: 'guest', guestUntil: '2020-01-01' }).where('id', '=', bob.id).execute()
  const { userId } = await signedIn(choose)
  expect(userId).toBe(ada.id)
  await db.updateTable('users').set({ deactivatedAt: '2020-01-01' }).where('id', '=', ada.id).execute()
  expect(await drill()).toBe(NOBODY)
})

test('a workspace without messages has nothing to read', async () => {
  const empty = await startParley()
  expect(await chooseReader(empty.databaseUrl, SECRET, [])).toBe('Nobody has written a message in it yet.')
})

/** Whose session was made. */
async function signedIn(choose: typeof it.choose) {
  await choose()
  return it.db.selectFrom('sessions').select('userId').orderBy('createdAt', 'desc').executeTakeFirstOrThrow()
}
