import { setTimeout as sleep } from 'node:timers/promises'
import { io as connect, type Socket } from 'socket.io-client'
import { expect, test } from 'vitest'
import { bounds } from '../../limits/bounds.ts'
import { atEnd } from '../support/cleanup.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { newDatabase } from '../support/new-database.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'

// One of two nodes dies, and all its clients move to the other one at the same time.

const SOCKETS = 5000
/** All of them share this process. */
const TIMEOUT_MS = Math.max(STATE_TIMEOUT_MS, 40 * SOCKETS)
/** Far fewer than there are sockets, of which twelve at a time join their channels. */
const MAX_WAITING_QUERIES = 100
const SETTINGS = { SECRET: 'a-secret-that-only-this-test-has-', METRICS_TOKEN: 'a-token-of-the-test' }

/** Tracks the maximum number of queries waiting for a connection. */
function watchPool(address: string) {
  let most = 0
  let isEnded = false
  const watching = (async () => {
    for (; !isEnded; await sleep(20)) {
      const headers = { authorization: `Bearer ${SETTINGS.METRICS_TOKEN}` }
      // The server ends with the test if that fails.
      const text = await fetch(`${address}/metrics`, { headers }).then(
        (answer) => answer.text(),
        () => '',
      )
      const [, waiting = '0'] = /^parley_database_connections\{[^}]*state="waited_for"[^}]*\} (\d+)$/m.exec(text) ?? []
      most = Math.max(most, Number(waiting))
    }
  })()
  return async () => {
    isEnded = true
    await watching
    return most
  }
}

test(
  `${SOCKETS} sockets of a node that dies come to the other one, which goes on meanwhile`,
  async () => {
    const databaseUrl = await newDatabase()
    const [dying, survivor] = [
      await openServerProcess({ ...SETTINGS, DATABASE_URL: databaseUrl }),
      await openServerProcess({ ...SETTINGS, DATABASE_URL: databaseUrl }),
    ]
    for (const node of [dying, survivor]) await node.start()
    const balancer = await startFaultProxy(dying.address)

    const ada = await signUpClient(survivor.address, 'ada')
    const [{ id: general }] = (await ada.call('GET', '/api/channels')).body.channels
    const tokens: string[] = []
    for (let n = 0; n < SOCKETS / bounds.socketsPerUser; n++)
      tokens.push((await signUpClient(survivor.address, `person${n}`)).token)
    const ready = new Set<Socket>()
    let heard = 0
    const sockets: Socket[] = []
    atEnd(() => {
      for (const socket of sockets) socket.close()
    })
    for (let n = 0; n < SOCKETS; n++) {
      const token = tokens[n % tokens.length]
      const socket = connect(balancer.address, { auth: { token }, transports: ['websocket'], forceNew: true })
      sockets.push(socket)
      socket.on('ready', () => ready.add(socket))
      socket.on('message:created', ({ content }) => {
        if (content === 'everybody is back') heard++
      })
      // Like a browser; the library reconnects automatically only after other reasons.
      socket.on('disconnect', (reason) => {
        if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 2000)
      })
      // They connect one hundred at a time, but disconnect all at once.
      if (n % 100 === 99) await expect.poll(() => ready.size).toBe(n + 1)
    }
    ready.clear()

    const mostWaiting = watchPool(survivor.address)
    const senders = startSenders([ada], [general], 50)
    balancer.moveTo(survivor.address)
    await dying.kill('SIGKILL')
    await untilSent(senders)
    await expect.poll(() => ready.size, { interval: 50, timeout: TIMEOUT_MS }).toBe(SOCKETS)
    await untilSent(senders)
    await senders.stop()
    expect(await audit(databaseUrl, senders.record)).toEqual(noFaults)
    expect(await mostWaiting()).toBeLessThan(MAX_WAITING_QUERIES)

    await ada.call('POST', '/api/messages', { channelId: general, content: 'everybody is back' })
    await expect.poll(() => heard, { timeout: TIMEOUT_MS }).toBe(SOCKETS)
  },
  4 * TIMEOUT_MS,
)
