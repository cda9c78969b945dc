import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { follow } from '../support/event-follower.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import { type ApiClient, openServerProcess, type ServerProcess, signUpClient } from '../support/server-process.ts'

// Faults of the process itself: it is paused, runs out of memory, or has an unhandled rejection.

/** Loaded into the server process: one signal causes an unhandled rejection, the other exhausts the memory. */
const sabotage = `
  process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waited for this')) })
  process.on('SIGPWR', () => { const all = []; for (;;) all.push(new Array(100000).fill({}).map(() => ({}))) })
`

let parley: ServerProcess
let people: ApiClient[]
let pid: () => number
const channels: string[] = []

beforeAll(async () => {
  const options = `--max-old-space-size=160 --import=data:text/javascript,${encodeURIComponent(sabotage)}`
  parley = await openServerProcess({ NODE_OPTIONS: options })
  await parley.start()
  pid = () => parley.pid() as number
  people = []
  for (const name of ['ada', 'bob']) people.push(await signUpClient(parley.address, name))
  for (const name of ['kitchen', 'garden']) {
    const { body } = await (people[0] as ApiClient).call('POST', '/api/channels', { name })
    await (people[1] as ApiClient).call('POST', `/api/channels/${body.id}/join`)
    channels.push(body.id)
  }
})

const bob = () => people[1] as ApiClient
async function expectSeen(follower: ReturnType<typeof follow>) {
  for (const id of channels) {
    const { body } = await bob().call('GET', `/api/messages/channel/${id}?limit=100`)
    const stored = body.map((it: { rev: number; id: string; content: string }) => `${it.rev} ${it.id} ${it.content}`)
    await expect.poll(() => follower.sees(id).slice(-stored.length)).toEqual(stored)
    expect(new Set(follower.sees(id)).size).toBe(follower.sees(id).length)
  }
}

test('an unhandled rejection is logged, and the process and its sockets keep running', async () => {
  const follower = follow(bob(), channels)
  const senders = startSenders(people, channels, 50)
  await untilSent(senders)
  // A signal is lost while the same one is pending.
  const failures = () => parley.log().split('nobody waited for this').length - 1
  for (let n = 0; n < 3; n++) {
    const before = failures()
    process.kill(pid(), 'SIGUSR2')
    await expect.poll(failures).toBeGreaterThan(before)
  }
  expect(parley.isRunning()).toBe(true)
  await senders.stop()
  expect(senders.refused()).toBe(0)
  expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
  await expectSeen(follower)
  follower.close()
})

test('a paused process that resumes publishes nothing twice and answers each pending request once', async () => {
  const follower = follow(bob(), channels)
  const senders = startSenders(people, channels, 50)
  await untilSent(senders)
  process.kill(pid(), 'SIGSTOP')
  // Long enough for the timeouts on both sides to expire.
  await sleep(4000)
  process.kill(pid(), 'SIGCONT')
  await untilSent(senders)
  await senders.stop()
  expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
  await expectSeen(follower)
  follower.close()
})

test('a process that runs out of memory exits, and after a restart nothing is lost', async () => {
  const follower = follow(bob(), channels)
  const senders = startSenders(people, channels, 50)
  await untilSent(senders)
  process.kill(pid(), 'SIGPWR')
  await expect.poll(() => parley.isRunning()).toBe(false)
  await parley.start()
  await senders.stop()
  expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
  await expectSeen(follower)
  follower.close()
})
