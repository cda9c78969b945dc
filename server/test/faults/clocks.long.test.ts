import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { findProgram } from '../services/find-program.ts'
import { atEnd } from '../support/cleanup.ts'
import { listen, SECRET, startParley } from '../support/parley.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'

// The clock of one of two nodes jumps five minutes ahead, and back.

const faketime = findProgram('faketime')
const JUMP_SECONDS = 300

/** A node whose clock can be set; its monotonic clock goes on. */
async function startWithClock(settings: NodeJS.ProcessEnv) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clock-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'offset')
  const setClock = (seconds: number) => writeFile(file, `+${seconds}`)
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

/** A token that no node has signed, under a key that none knows. */
const forgedToken = () =>
  [{ alg: 'EdDSA', kid: `key ${Math.random()}` }, { sub: 'somebody' }, 'signature']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')

test.skipIf(!faketime)('a node whose clock jumps goes on as before, and so do the others', async () => {
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

  const sent: string[] = []
  for (const [n, seconds] of [0, JUMP_SECONDS, 0].entries()) {
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
      // Tokens of either node are good on both, and forged ones are refused at once.
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
    expect((body as Message[]).sort((a, b) => a.seq - b.seq).map(({ content }) => content)).toEqual(sent)
  }
  expect(jumping.log()).toMatch(/The clock of this machine is (299|300|301) s ahead of the database’s/)
  // Nobody was given up by the other node.
  expect(parley.app.bus.peers()).toEqual(peers)
  for (const { all, socket } of [adas, bobs]) {
    expect(socket.connected).toBe(true)
    expect(all('ready')).toHaveLength(1)
    const offline = all('user:status_changed').filter(({ status }) => status === 'offline')
    expect(offline.filter(({ userId }) => userId === ada.id || userId === bob.id)).toEqual([])
  }
})
