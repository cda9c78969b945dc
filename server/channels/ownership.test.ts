import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { holdCommits, transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { type Person, startParley } from '../test/support/parley.ts'

// A channel with active members always gets an owner who can change it.

const parley = await startParley()
const { root, ada, bob } = await parley.people('root', 'ada', 'bob')
const { databaseUrl } = parley

let made = 0
const somebody = () => parley.person(`owner-${made++}`)
const deactivate = ({ id }: Person) => root.put(`/api/users/${id}/deactivation`, {})
const reactivate = ({ id }: Person) => root.delete(`/api/users/${id}/deactivation`)
const newChannel = async (owner: Person, members: Person[]): Promise<Channel> =>
  (await owner.post('/api/channels', { name: `owned-${made++}`, members: members.map(({ id }) => id) })).body
const ownerOf = async ({ id }: Channel) => (await root.get(`/api/channels/${id}`)).body.ownerId

test('ownership is not transferred to a deactivated user', async () => {
  const dan = await somebody()
  const channel = await newChannel(ada, [bob, dan])
  await deactivate(dan)
  const give = ({ id }: Person) => ada.patch(`/api/channels/${channel.id}`, { ownerId: id })
  expect(await give(dan)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await ownerOf(channel)).toBe(ada.id)
  expect((await give(bob)).status).toBe(200)
})

test('a user being deactivated does not become an owner', async () => {
  const [dan, eve] = [await somebody(), await somebody()]
  const [transferred, left] = [await newChannel(ada, [bob, dan]), await newChannel(eve, [dan, bob])]
  const deactivating = await transaction(databaseUrl, [
    'update users set "deactivatedAt" = now() where id = $1',
    [dan.id],
  ])
  const giving = ada.patch(`/api/channels/${transferred.id}`, { ownerId: dan.id })
  const leaving = deactivate(eve)
  await untilLockWait(databaseUrl, 'for share')
  await deactivating.commit()
  expect(await giving).toMatchObject({ status: 400, code: 'invalid' })
  expect((await leaving).status).toBe(204)
  await expect.poll(() => ownerOf(left)).toBe(bob.id)
})

test('when two users are deactivated concurrently, their channels go to an active member', async () => {
  for (let round = 0; round < 5; round++) {
    const [dan, eve] = [await somebody(), await somebody()]
    const channels = [await newChannel(dan, [eve, bob]), await newChannel(eve, [dan, bob])]
    const answers = await Promise.all([deactivate(dan), deactivate(eve)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    for (const channel of channels) await expect.poll(() => ownerOf(channel)).toBe(bob.id)
  }
})

test('a channel created while its creator is being deactivated is refused', async () => {
  const dan = await somebody()
  const deactivating = await transaction(databaseUrl, [
    'update users set "deactivatedAt" = now() where id = $1',
    [dan.id],
  ])
  const making = dan.post('/api/channels', { name: 'nobodys', members: [bob.id] })
  await untilLockWait(databaseUrl, 'for share')
  await deactivating.commit()
  expect(await making).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('a failed ownership transfer is retried until it succeeds', async () => {
  const dan = await somebody()
  const channel = await newChannel(dan, [bob])
  const lock = await transaction(databaseUrl, ['select from channels where id = $1 for update', [channel.id]])
  expect((await deactivate(dan)).status).toBe(204)
  expect(await ownerOf(channel)).toBe(dan.id)
  await lock.rollback()
  await expect.poll(() => ownerOf(channel)).toBe(bob.id)
})

test('a channel of deactivated members is owned by the first to join or be reactivated', async () => {
  const [dan, eve] = [await somebody(), await somebody()]
  const [alone, both] = [await newChannel(dan, []), await newChannel(dan, [eve])]
  await deactivate(eve)
  await deactivate(dan)
  expect(await ownerOf(both)).toBe(dan.id)
  await bob.post(`/api/channels/${alone.id}/join`)
  await expect.poll(() => ownerOf(alone)).toBe(bob.id)
  await reactivate(eve)
  await expect.poll(() => ownerOf(both)).toBe(eve.id)
})

test('an ownership transfer that committed after its timeout is still published', async () => {
  const dan = await somebody()
  const channel = await newChannel(dan, [bob])
  const bobs = await bob.listen()
  const { release } = await holdCommits(databaseUrl, 'users')
  expect((await deactivate(dan)).status).toBe(503)
  await release()
  expect(await bobs.waitFor('channel:updated', ({ id }) => id === channel.id)).toMatchObject({ ownerId: bob.id })
})

test('an ownership transfer missed by polling is made up for', async () => {
  const dan = await somebody()
  const channel = await newChannel(dan, [bob])
  const crashed = await transaction(
    databaseUrl,
    ['update users set "deactivatedAt" = now() where id = $1', [dan.id]],
    ['delete from lives'],
  )
  await crashed.commit()
  await expect.poll(() => ownerOf(channel)).toBe(bob.id)
})

test('a deactivation does not wait for a blocked ownership transfer, which happens later', async () => {
  const dan = await somebody()
  const channels = [await newChannel(dan, [bob]), await newChannel(dan, [bob])]
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  // Both have a long-running change.
  const held = channels.map(({ id }) =>
    parley.app.writer.change(
      id,
      async () => {},
      () => gate,
    ),
  )
  expect((await deactivate(dan)).status).toBe(204)
  expect(await Promise.all(channels.map(ownerOf))).toEqual([dan.id, dan.id])
  open()
  await Promise.all(held)
  for (const channel of channels) await expect.poll(() => ownerOf(channel)).toBe(bob.id)
})
