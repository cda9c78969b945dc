import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { findProgram } from '../services/find-program.ts'
import { atEnd } from '../support/cleanup.ts'
import { listen, SECRET, startParley } from '../support/parley.ts'
import { type ApiClient, openServerProcess, signUpClient } from '../support/server-process.ts'

// The clock of one of two nodes jumps an hour ahead, back, an hour behind, and back again.

const faketime = findProgram('faketime')
const HOUR_SECONDS = 3600

/** A node whose clock can be set; its monotonic clock is unaffected. */
async function startWithClock(settings: NodeJS.ProcessEnv) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clock-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'offset')
  const setClock = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`)
  await setClock(0)
  const library = execFileSync(faketime as string, ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
  const node = await openServerProcess({
    ...settings,
    LD_PRELOAD: library.trim(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    LOG_LEVEL: 'warn',
  })
  await node.start()
  return { address: node.address, log: node.log, setClock }
}

/** A token that no node has signed, with an unknown key. */
const forgedToken = () =>
  [{ alg: 'EdDSA', kid: `key ${Math.random()}` }, { sub: 'somebody' }, 'signature']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')

/**
 * Starts several timed states, which end by the database's clock. @returns a function that expects none of them to have ended on
 * a node
 */
async function startTimes(ada: ApiClient, bob: ApiClient, channelId: string) {
  const mia = await signUpClient(ada.address, 'mia')
  expect((await ada.call('PUT', `/api/users/${mia.id}/mute`, { hours: 1 })).status).toBe(204)
  const until = new Date(Date.now() + HOUR_SECONDS * 500).toISOString()
  const status = { user_status: '🌴', text: 'Away for half an hour', until }
  expect((await bob.call('PUT', '/api/users/status', status)).status).toBe(200)
  return async (at: string) => {
    const readiness = await fetch(`${at}/readyz`)
    expect(readiness.status).toBe(200)
    expect((await mia.call('POST', '/api/messages', { channelId, content: 'muted' }, at)).status).toBe(403)
    expect((await ada.call('GET', `/api/users/${bob.id}`, undefined, at)).body.statusText).toBe(status.text)
    const quiet = { availability: 'quiet', until }
    expect((await bob.call('PUT', '/api/users/me/availability', quiet, at)).status).toBe(200)
    expect((await bob.call('GET', '/api/users/me/availability', undefined, at)).body.availability).toBe('quiet')
    const credentials = JSON.stringify({ username: bob.username, password: 'correct horse' })
    const headers = { 'content-type': 'application/json', origin: at }
    const signedIn = await fetch(`${at}/api/auth/sign-in/username`, { method: 'POST', headers, body: credentials })
    expect(signedIn.status).toBe(200)
    const renewed = await fetch(`${at}/api/auth/token`, { headers: { cookie: bob.cookie } })
    const { token } = (await renewed.json()) as { token: string }
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    // The browser compares these two.
    const lifeSeconds = exp - Date.parse(renewed.headers.get('date') as string) / 1000
    expect(Math.abs(lifeSeconds - HOUR_SECONDS)).toBeLessThan(5)
    expect(Math.abs(exp - HOUR_SECONDS - Date.now() / 1000)).toBeLessThan(5)
  }
}

test.skipIf(!faketime)('a node whose clock jumps continues to work, as do the others', async () => {
  const parley = await startParley()
  const { databaseUrl, address } = parley
  const jumping = await startWithClock({ DATABASE_URL: databaseUrl, SECRET })
  await expect.poll(() => parley.app.bus.peers().length).toBe(1)
  const peers = parley.app.bus.peers()
  const [ada, bob] = [await signUpClient(address, 'ada'), await signUpClient(jumping.address, 'bob')]
  const [general] = (await ada.call('GET', '/api/channels')).body.channels
  const channelId: string = general.id
  const [adas, bobs] = [await listen(address, ada.token), await listen(jumping.address, bob.token)]
  for (const { socket } of [adas, bobs]) socket.emit('channel:join', channelId)
  for (const { waitFor } of [adas, bobs]) await waitFor('channel:joined')

  const expectNothingEnded = await startTimes(ada, bob, channelId)
  const sent: string[] = []
  for (const [n, seconds] of [0, HOUR_SECONDS, 0, -HOUR_SECONDS, 0].entries()) {
    await jumping.setClock(seconds)
    for (const person of [ada, bob, ada, bob]) {
      const content = `${sent.length}`
      const { status, body } = await person.call('POST', '/api/messages', { channelId, content })
      expect(status).toBe(201)
      sent.push(content)
      for (const { waitFor } of [adas, bobs]) await waitFor('message:created', ({ id }) => id === body.id)
    }
    const isTyping = () => {
      bobs.socket.emit('typing', { channelId })
      return adas.all('typing').length > n
    }
    await expect.poll(isTyping).toBe(true)
    for (const at of [address, jumping.address]) {
      await expectNothingEnded(at)
      // Tokens of either node are valid on both, and forged ones are rejected immediately.
      const cyd = await signUpClient(at, `cyd${n}${at === address ? 'a' : 'b'}`)
      for (const other of [address, jumping.address]) {
        expect((await cyd.call('GET', '/api/channels', undefined, other)).status).toBe(200)
        const headers = { authorization: `Bearer ${forgedToken()}` }
        const signal = AbortSignal.timeout(10_000)
        expect((await fetch(`${other}/api/channels`, { headers, signal })).status).toBe(401)
      }
      expect((await cyd.call('DELETE', '/api/sessions')).status).toBeLessThan(300)
      const statusAt = async (other: string) => (await cyd.call('GET', '/api/channels', undefined, other)).status
      for (const other of [address, jumping.address]) await expect.poll(() => statusAt(other)).toBe(401)
    }
  }

  for (const person of [ada, bob]) {
    const { body } = await person.call('GET', `/api/messages/channel/${channelId}?limit=100`)
    const messages = (body as Message[]).sort((a, b) => a.seq - b.seq)
    expect(messages.map(({ content }) => content)).toEqual(sent)
    // Searches by date rely on the time in the id.
    for (const { id, createdAt } of messages) {
      const idMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
      expect(Math.abs(idMs - Date.parse(createdAt))).toBeLessThan(5000)
    }
  }
  expect(jumping.log()).toMatch(/The clock of this machine is (3599|3600|3601) s ahead of the database’s/)
  expect(jumping.log()).toMatch(/The clock of this machine is (3599|3600|3601) s behind the database’s/)
  // The other node has dropped no peers.
  expect(parley.app.bus.peers()).toEqual(peers)
  for (const { all, socket } of [adas, bobs]) {
    expect(socket.connected).toBe(true)
    expect(all('ready')).toHaveLength(1)
    const offline = all('user:status_changed').filter(({ status }) => status === 'offline')
    expect(offline.filter(({ userId }) => userId === ada.id || userId === bob.id)).toEqual([])
  }
})
