import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { newDatabase } from '../support/new-database.ts'
import { listen } from '../support/parley.ts'
import {
  type ApiClient,
  openServerProcess,
  type ServerProcess,
  signalTo,
  signUpClient,
} from '../support/server-process.ts'

// A paused node, like one on a suspended virtual machine, is unaware of revocations in the meantime.

/** Longer than a session may outlive its end. */
const PAUSE_MS = 1500

let first: ServerProcess
let second: ServerProcess
let ada: ApiClient
let channelId: string

beforeAll(async () => {
  const settings = { DATABASE_URL: await newDatabase(), SECRET: 'a-secret-of-both-nodes-0123456789-abcdefghij' }
  first = await openServerProcess(settings)
  await first.start()
  second = await openServerProcess(settings)
  await second.start()
  ada = await signUpClient(first.address, 'ada')
  channelId = (await ada.call('POST', '/api/channels', { name: 'kitchen' })).body.id
})

const say = async (content: string) =>
  (await ada.call('POST', '/api/messages', { channelId, content })).body.id as string

/**
 * Ends something on the first node while the second is paused. `act` sends requests to the second, and returns their responses.
 */
async function whilePaused(end: () => Promise<unknown>, act: () => Promise<{ status: number }>[]) {
  const pid = second.pid() as number
  signalTo(pid, 'SIGSTOP')
  await end()
  await sleep(PAUSE_MS)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await say(`secret ${n}`))
  const answers = act()
  await sleep(100)
  signalTo(pid, 'SIGCONT')
  return { ids, statuses: (await Promise.all(answers)).map(({ status }) => status) }
}

test('a node that was paused while a channel was deleted notifies its members', async () => {
  const { body } = await ada.call('POST', '/api/channels', { name: 'short-lived', isPrivate: true })
  const adas = await listen(second.address, ada.token, true)
  await whilePaused(
    () => ada.call('DELETE', `/api/channels/${body.id}`),
    () => [],
  )
  await adas.waitFor('channel:deleted', (it) => it.channelId === body.id)
  adas.socket.close()
})

test.each([
  ['all their sessions', async (bob: ApiClient) => bob.call('DELETE', '/api/sessions', undefined, first.address)],
  ['their account', async (bob: ApiClient) => ada.call('PUT', `/api/users/${bob.id}/deactivation`, {})],
  [
    'their membership',
    async (bob: ApiClient) => ada.call('POST', `/api/channels/${channelId}/remove-member`, { userId: bob.id }),
  ],
])('a node that was paused while somebody lost %s no longer serves them once it resumes', async (what, end) => {
  const bob = await signUpClient(first.address, `bob-${what.split(' ').at(-1)}`)
  await ada.call('POST', `/api/channels/${channelId}/invite`, { userId: bob.id })
  const [bobs, adas] = [await listen(second.address, bob.token), await listen(second.address, ada.token, true)]
  const before = await say('before')
  await bobs.waitFor('message:created', ({ id }) => id === before)

  const { ids, statuses } = await whilePaused(
    () => end(bob),
    () => [
      bob.call('POST', '/api/messages', { channelId, content: 'from beyond' }, second.address),
      bob.call('GET', `/api/messages/channel/${channelId}`, undefined, second.address),
      bob.call('GET', '/api/channels', undefined, second.address),
    ],
  )
  const isMember = what === 'their membership'
  expect(statuses).toEqual(isMember ? [403, 200, 200] : [401, 401, 401])
  // Others receive everything.
  const after = await say('after')
  await adas.waitFor('message:created', ({ id }) => id === after)
  for (const id of ids) expect(adas.all('message:created').map((it) => it.id)).toContain(id)
  expect(bobs.all('message:created').map(({ content }) => content)).toEqual(['before'])
  const { body } = await ada.call('GET', `/api/messages/channel/${channelId}`)
  expect(JSON.stringify(body)).not.toContain('from beyond')
  for (const { socket } of [bobs, adas]) socket.close()
})
