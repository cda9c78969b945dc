import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { messagesIn } from '../../web/features/messages/sync/message-queries.ts'
import { startTalk } from './cached-browser.ts'

// The database fails over to a replica that lacked the last commits while a browser shows their contents.

let talk: Awaited<ReturnType<typeof startTalk>>
beforeAll(async () => {
  talk = await startTalk()
})

let count = 0
let id: string
let parentMessageId: string
let browser: Awaited<ReturnType<typeof talk.bobIn>>
beforeEach(async () => {
  const { ada, bob } = talk
  id = (await ada.post('/api/channels', { name: `lost-${count++}`, members: [bob.id] })).body.id
  parentMessageId = (await ada.say(id, 'kept')).id
  browser = await talk.bobIn(id, parentMessageId)
})

const contents = () =>
  browser.client
    .getQueryData<{ messages: { content: string }[] }>(messagesIn(id).queryKey)
    ?.messages.map(({ content }) => content)
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: STATE_TIMEOUT_MS, interval: 20 })

/** Removes everything after a revision, as if it had never existed. */
async function loseAfter({ rev, seq }: { rev: number; seq: number }) {
  await talk.app.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('messages').where('channelId', '=', id).where('rev', '>', rev).execute()
    await tx.updateTable('channels').set({ rev, seq }).where('id', '=', id).execute()
    await tx
      .updateTable('memberships')
      .set({ lastReadSeq: sql<number>`least("lastReadSeq", ${seq}::bigint)` })
      .where('channelId', '=', id)
      .execute()
  })
}
const beginEpoch = () => talk.app.db.updateTable('workspace').set({ epoch: sql<string>`gen_random_uuid()` }).execute()

async function sayLost() {
  const { rev, seq } = (await talk.ada.get(`/api/channels/${id}`)).body
  for (const text of ['lost 1', '@bob lost 2', 'lost 3']) await talk.ada.say(id, text)
  await eventually(() => expect(contents()).toHaveLength(4))
  await talk.bob.put(`/api/channels/${id}/read`, { seq: seq + 3 })
  await eventually(() => expect(browser.held()?.unread).toBe(0))
  return { rev, seq }
}

test.each([1, 5])('%i messages that reuse the numbers of three lost ones are shown, and unread', async (taken) => {
  await loseAfter(await sayLost())
  const texts = Array.from({ length: taken }, (_, n) => `@bob taken ${n}`)
  await browser.after(async () => {
    // The loss has not been noticed yet.
    for (const text of texts) await talk.ada.say(id, text)
    await beginEpoch()
    await eventually(() => expect(contents()).toEqual(['kept', ...texts]))
  })
  expect(browser.held()).toMatchObject({ unread: taken, mentions: taken })
  // Live events are counted again.
  await browser.after(() => talk.ada.say(id, 'after it'))
  expect(contents()).toEqual(['kept', ...texts, 'after it'])
})

test('after the loss, reading counts up to the newest remaining message', async () => {
  const { rev, seq } = await sayLost()
  await loseAfter({ rev, seq })
  await talk.bob.put(`/api/channels/${id}/read`, { seq: seq + 3 })
  await browser.after(async () => {
    await beginEpoch()
    await talk.ada.say(id, 'taken')
    await eventually(() => expect(contents()).toEqual(['kept', 'taken']))
  })
  expect(browser.held()?.unread).toBe(1)
})
