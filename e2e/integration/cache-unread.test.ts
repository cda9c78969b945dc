import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Channel, ReadCursor } from '#contract/channels'
import type { ServerEvent } from '#contract/events'
import type { MovedCursor } from '#contract/read-cursors'
import { slowTries, times } from '#contract/test/properties'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { applyChannelRead } from '../../web/features/channels/cache/channel-cursor.ts'
import { startTalk } from './cached-browser.ts'

type Talk = Awaited<ReturnType<typeof startTalk>>

/** A model of Bob's cursor and counts in a channel. */
class Model {
  said: { id: string; isMine: boolean; calls: boolean; isDeleted: boolean }[] = []
  lastReadSeq = 0
  readVersion = 0
  cursor(): ReadCursor {
    const { lastReadSeq, readVersion } = this
    const unread = this.said.slice(lastReadSeq)
    const mentions = unread.filter(({ isMine, calls }) => calls && !isMine).length
    return { lastReadSeq, readVersion, unread: unread.length, mentions }
  }
}

function cursorIn(channel: Partial<Channel> = {}) {
  const { lastReadSeq, readVersion, unread, mentions } = channel
  return { lastReadSeq, readVersion, unread, mentions }
}

const late: ServerEvent[] = ['message:created', 'message:updated', 'message:deleted', 'channel:read']

/** A device of Bob's that receives events late and out of order. */
async function device(talk: Talk, home: string, delay: () => number) {
  const { socket, client, held } = await talk.bobIn(home)
  for (const event of late) {
    const handlers = socket.listeners(event) as ((payload: unknown) => void)[]
    socket.off(event)
    socket.on(
      event,
      (payload: unknown) => void setTimeout(() => handlers.forEach((handle) => void handle(payload)), delay()),
    )
  }
  return { socket, client, cursor: (id: string) => cursorIn(held(id)) }
}
type Device = Awaited<ReturnType<typeof device>>

interface Stage {
  talk: Talk
  id: string
  model: Model
  devices: [Device, Device]
  /** The last result of marking all as read, which can be undone. */
  readAll?: MovedCursor | undefined
}
interface Step {
  act: keyof typeof acts
  at: 0 | 1
  place: number
}

const texts = ['nothing much', 'hello @bob', 'hello @channel']

const acts = {
  async say({ talk: { ada, bob }, id, model }: Stage, { place }: Step) {
    const isMine = place % 5 === 0
    const message = await (isMine ? bob : ada).say(id, texts[place % 3] as string)
    model.said.push({ id: message.id, isMine, calls: place % 3 > 0, isDeleted: false })
    if (isMine) model.lastReadSeq = model.said.length
  },
  /** Ignored if something has been marked as unread since the version that the device knows. */
  async read({ talk: { bob }, id, model, devices }: Stage, { at, place }: Step) {
    const { readVersion } = devices[at].cursor(id)
    const { body } = await bob.put(`/api/channels/${id}/read`, { seq: place, readVersion })
    applyChannelRead(devices[at].client, { channelId: id, ...body })
    if (readVersion !== undefined && readVersion < model.readVersion) return
    model.lastReadSeq = Math.max(model.lastReadSeq, Math.min(place, model.said.length))
  },
  async markUnread({ talk: { bob }, id, model, devices }: Stage, { at, place }: Step) {
    const { body } = await bob.put(`/api/channels/${id}/read`, { seq: place, unread: true })
    applyChannelRead(devices[at].client, { channelId: id, ...body })
    model.lastReadSeq = Math.min(Math.max(place - 1, 0), model.said.length)
    model.readVersion++
  },
  async readAll(stage: Stage, { at }: Step) {
    const { talk, id, model, devices } = stage
    const { body } = await talk.bob.put('/api/channels/read', {})
    stage.readAll = body.channels.find(({ channelId }: MovedCursor) => channelId === id)
    if (stage.readAll) applyChannelRead(devices[at].client, stage.readAll)
    model.lastReadSeq = model.said.length
  },
  async takeBack(stage: Stage, { at }: Step) {
    const { talk, model, devices, readAll } = stage
    if (!readAll) return
    const { body } = await talk.bob.put('/api/channels/unread', { channels: [readAll] })
    for (const cursor of body.channels) applyChannelRead(devices[at].client, cursor)
    const { before, lastReadSeq, readVersion } = readAll
    if (model.lastReadSeq !== lastReadSeq || model.readVersion !== readVersion) return
    model.lastReadSeq = before
    model.readVersion++
  },
  async edit({ talk: { ada, bob }, model }: Stage, { place }: Step) {
    const message = model.said[place]
    if (!message || message.isDeleted) return
    await (message.isMine ? bob : ada).put(`/api/messages/${message.id}`, { content: texts[(place + 1) % 3] })
    message.calls = (place + 1) % 3 > 0
  },
  async remove({ talk: { ada, bob }, model }: Stage, { place }: Step) {
    const message = model.said[place]
    if (!message || message.isDeleted) return
    await (message.isMine ? bob : ada).delete(`/api/messages/${message.id}`)
    Object.assign(message, { calls: false, isDeleted: true })
  },
  async cut({ devices }: Stage, { at }: Step) {
    devices[at].socket.disconnect()
  },
  async plug({ devices }: Stage, { at }: Step) {
    devices[at].socket.connect()
  },
  /** Lets some of the delayed events arrive before the next step. */
  async rest(_: Stage, { place }: Step) {
    await new Promise((resolve) => setTimeout(resolve, place * 10))
  },
}

const often = ['say', 'say', 'say', 'say', 'read', 'read', 'rest', 'plug'] as const
const step = fc.record<Step>({
  act: fc.constantFrom(...often, ...(Object.keys(acts) as (keyof typeof acts)[])),
  at: fc.constantFrom(0, 1),
  place: fc.nat({ max: 9 }),
})

test('after any sequence of actions, two devices and the server agree on unread counts', {
  timeout: times(240_000),
}, async () => {
  const talk = await startTalk()
  const { ada, bob } = talk
  let made = 0
  const newChannel = async () =>
    (await ada.post('/api/channels', { name: `unread-${made++}`, members: [bob.id] })).body.id as string
  const home = await newChannel()
  let delayCount = 0
  let delays = [0]
  const delay = () => delays[delayCount++ % delays.length] ?? 0
  const devices: [Device, Device] = [await device(talk, home, delay), await device(talk, home, delay)]
  const history = fc.array(step, { minLength: 5, maxLength: 30, size: 'max' })
  const lateness = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(history, lateness, async (steps, someDelays) => {
      delays = someDelays
      const stage: Stage = { talk, id: await newChannel(), model: new Model(), devices }
      for (const it of steps) await acts[it.act](stage, it)
      for (const { socket } of devices) if (!socket.connected) socket.connect()
      const { id, model } = stage
      expect(cursorIn((await bob.get(`/api/channels/${id}`)).body)).toEqual(model.cursor())
      await vi.waitFor(
        () => expect(devices.map(({ cursor }) => cursor(id))).toEqual([model.cursor(), model.cursor()]),
        { timeout: STATE_TIMEOUT_MS, interval: 20 },
      )
    }),
    slowTries(25),
  )
})
