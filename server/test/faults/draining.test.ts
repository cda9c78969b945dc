import { once } from 'node:events'
import { io as connect } from 'socket.io-client'
import { expect, test } from 'vitest'
import { beginUpload } from '../support/begin-upload.ts'
import { atEnd } from '../support/cleanup.ts'
import { longTest } from '../support/long.ts'
import { serve, startParley } from '../support/parley.ts'

// A node stops while another one is running.

const parley = await startParley()
const ada = await parley.person('ada')
const channelId = (await ada.get('/api/channels')).body.channels[0].id
const never = new AbortController().signal

async function openNode(DRAIN: string) {
  const node = await serve(parley.databaseUrl, { DRAIN })
  await expect.poll(() => node.app.bus.peers().length).toBe(1)
  return node
}

const stateOf = async (address: string) => {
  const answer = await fetch(`${address}/readyz`)
  return { status: answer.status, body: await answer.json() }
}

test('draining fails health checks, disconnects clients like a network failure, and waits for uploads', async () => {
  const node = await openNode('60')
  const socket = connect(node.address, { auth: { token: ada.token }, forceNew: true, reconnection: false })
  atEnd(() => void socket.close())
  await once(socket as never, 'ready')
  const disconnected = new Promise((resolve) => socket.once('disconnect', resolve))
  const upload = beginUpload(node.address, ada, channelId)
  await upload.write('the beginning')
  await expect.poll(() => node.app.drain.pending()).toBe(1)

  let isDone = false
  const drained = node.app.drain.run(never).then(() => {
    isDone = true
  })
  expect(await stateOf(node.address)).toEqual({ status: 503, body: { status: 'draining' } })
  expect(await disconnected).toBe('transport close')
  // It still serves requests, and asks clients to reconnect.
  const sent = await fetch(`${node.address}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channelId, content: 'on the way out' }),
  })
  expect(sent.status).toBe(201)
  expect(sent.headers.get('connection')).toBe('close')
  expect(isDone).toBe(false)
  await upload.write(', the end')
  const { status, body } = await upload.finish()
  expect(status).toBe(201)
  await drained
  await node.app.close()
  const stored = await fetch(parley.address + body.url, { headers: { authorization: `Bearer ${ada.token}` } })
  expect(await stored.text()).toBe('the beginning, the end')
})

longTest('an upload that does not end is cut off after the grace period', async () => {
  const node = await openNode('0.2')
  const upload = beginUpload(node.address, ada, channelId)
  await upload.write('the beginning')
  await expect.poll(() => node.app.drain.pending()).toBe(1)
  await node.app.drain.run(never)
  await node.app.close()
  await expect(upload.answered).rejects.toThrow()
})
