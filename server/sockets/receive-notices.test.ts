import { expect, test } from 'vitest'
import { openBus } from '../bus/open-bus.ts'
import type { MembersChange } from '../realtime/member-sockets.ts'
import type { PublishedEvent } from '../realtime/publisher.ts'
import { channelRoom } from '../realtime/rooms.ts'
import { SECRET, startParley } from '../test/support/parley.ts'

const parley = await startParley({}, undefined, { waitingBusBytes: 20_000 })

/** A bus on which to send notices as another node. */
async function openOtherNode() {
  const { epoch } = await parley.app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()
  const observer = { onEcho() {}, onMissed() {}, onDropped() {}, onIgnored() {}, onSent() {} }
  const bus = openBus({ node: 'other', url: parley.databaseUrl, secret: SECRET, epoch, log: parley.app.log, observer })
  await bus.start({ onNotice() {}, onPeerJoined() {}, onPeerLeft() {}, onMissed() {} })
  await expect.poll(() => bus.peers().length).toBe(1)
  return bus
}

test('notices that wait for the database are applied in order; beyond the byte limit clients refetch', async () => {
  const ada = await parley.person('ada')
  const listener = await ada.listen()
  const { body: channel } = await ada.post('/api/channels', { name: 'secret', isPrivate: true })
  const bus = await openOtherNode()
  const becamePrivate: MembersChange = { kind: 'private', channelId: channel.id }
  const sendRevs = (from: number, count: number) => {
    for (let rev = from; rev < from + count; rev++) {
      const payload = { channelId: channel.id, rev, seq: 1 }
      const notice: PublishedEvent = { kind: 'event', audience: channelRoom(channel.id), event: 'channel:rev', payload }
      bus.send(notice)
    }
  }
  const revs = () => listener.all('channel:rev').map(({ rev }) => rev)

  // All in one packet, so they arrive before the members are read.
  bus.send(becamePrivate)
  sendRevs(1001, 3)
  await expect.poll(revs).toEqual([1001, 1002, 1003])
  expect(listener.all('ready')).toHaveLength(1)

  for (let round = 2; round < 4; round++) {
    bus.send(becamePrivate)
    sendRevs(round * 1000 + 1, 40)
    await expect.poll(() => listener.all('ready').length).toBe(round)
    const received = () => revs().filter((rev) => rev > round * 1000)
    await expect.poll(() => received().length).toBeGreaterThan(0)
    expect(received().length).toBeLessThan(40)
    expect(received()).toEqual(received().map((_, n) => round * 1000 + 1 + n))
    sendRevs(round * 1000 + 100, 1)
    await expect.poll(() => revs().at(-1)).toBe(round * 1000 + 100)
  }
  await bus.close()
})
