import { expect, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { isLong } from '../support/long.ts'
import { actAs, type Person, serve, startParley, untilPeers, urlThrough } from '../support/parley.ts'

// Responses are read after the commit. A person removed by then must not see anything later.

/** One-way delay of the database of Bob's node: leaves time to remove him between his commit and the reading of his response. */
const DELAY_MS = 100

const parley = await startParley()
const { databaseUrl } = parley
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
const proxy = await startFaultProxy(`http://${new URL(databaseUrl).host}`)
const far = await serve(urlThrough(databaseUrl, proxy), {}, undefined, undefined, databaseUrl)
await untilPeers(parley, far)
const bobs = actAs(far.app, far.address, bob.token)
const adas = await ada.listen()

let made = 0
async function newChannel(...members: Person[]) {
  const ids = members.map(({ id }) => id)
  const { body } = await ada.post('/api/channels', { name: `late-${made++}`, isPrivate: true, members: ids })
  return body.id as string
}

/** Bob acts; at the first sign of it, he is removed and the channel changes. */
async function removedAfter(
  channelId: string,
  act: () => Promise<{ status: number; body: unknown }>,
  sign: Promise<unknown>,
  change: () => Promise<unknown>,
) {
  proxy.delayBy(DELAY_MS)
  const answer = act()
  await sign
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  await change()
  const { status, body } = await answer
  proxy.delayBy(0)
  return { status, text: JSON.stringify(body) }
}

test('an inviter who has been removed since does not see the channel’s new name', async () => {
  const channelId = await newChannel(bob)
  const { status, text } = await removedAfter(
    channelId,
    () => bobs.post(`/api/channels/${channelId}/invite`, { userId: cyd.id }),
    adas.waitFor('channel:member_joined', (it) => it.channelId === channelId),
    () => ada.patch(`/api/channels/${channelId}`, { topic: 'secret' }),
  )
  expect(text).not.toContain('secret')
  expect([200, 404]).toContain(status)
})

test.each(isLong ? (['put', 'delete'] as const) : (['put'] as const))(
  'a member who reacted (%s) and has been removed since does not see later reactions',
  async (how) => {
    const channelId = await newChannel(bob)
    const { id } = await ada.say(channelId, 'hello')
    const emoji = encodeURIComponent('🎉')
    if (how === 'delete') await bob.post(`/api/messages/${id}/reactions`, { emoji: '🎉' })
    const { status, text } = await removedAfter(
      channelId,
      () =>
        how === 'put'
          ? bobs.post(`/api/messages/${id}/reactions`, { emoji: '🎉' })
          : bobs.delete(`/api/messages/${id}/reactions/${emoji}`),
      adas.waitFor(how === 'put' ? 'reaction:added' : 'reaction:removed', (it) => it.messageId === id),
      () => ada.post(`/api/messages/${id}/reactions`, { emoji: '🔒' }),
    )
    expect(text).not.toContain('🔒')
    expect([200, 404]).toContain(status)
  },
)
