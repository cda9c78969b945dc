import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { onDatabase } from './database.ts'
import { follow } from './event-follower.ts'
import { type Listener, listen, untilPeers } from './parley.ts'
import { audit, noFaults, startSenders } from './send-load.ts'
import { type ApiClient, signUpClient } from './server-process.ts'

interface Node {
  app: FastifyInstance
  address: string
}

/** Ada and Bob on a new workspace's first node; other nodes may join it. They write in #general. */
export async function openTwoNodes(first: Node, databaseUrl: string) {
  const ada = await signUpClient(first.address, 'ada')
  const bob = await signUpClient(first.address, 'bob')
  const [general] = (await ada.call('GET', '/api/channels')).body.channels

  /** The same person on another node. */
  const at = (person: ApiClient, { address }: Pick<Node, 'address'>): ApiClient => ({
    ...person,
    address,
    call: (method, path, payload) => person.call(method, path, payload, address),
  })

  /** Returns the id of the message. */
  async function say(person: ApiClient, content: string) {
    const { body, status } = await person.call('POST', '/api/messages', { channelId: general.id, content })
    expect(status).toBe(201)
    return body.id as string
  }
  const hears = (listener: Listener, id: string) => listener.waitFor('message:created', (it) => it.id === id)

  /** Waits until a node's messages arrive immediately, not only by polling. */
  const untilConnected = (listener: Listener, person: ApiClient) =>
    expect
      .poll(async () => {
        const id = await say(person, 'connected?')
        await sleep(50)
        return listener.all('message:created').some((it) => it.id === id)
      })
      .toBe(true)

  const stored = async () => {
    const { rows } = await onDatabase(databaseUrl, (client) =>
      client.query(
        `select rev || ' ' || id || ' ' || content as line from messages where "channelId" = $1 order by seq`,
        [general.id],
      ),
    )
    return rows.map(({ line }) => line as string)
  }

  /** Makes people write on both nodes during a fault, and compares what clients of both end up with to what is stored. */
  async function writeDuring(other: Node, fault: () => Promise<void>) {
    const people = [ada, at(bob, other)]
    const followers = people.map((person) => follow(person, [general.id]))
    await Promise.all(followers.map(({ epochs }) => expect.poll(() => epochs.size).toBe(1)))
    const senders = startSenders(people, [general.id], 50)
    await fault()
    await senders.stop()
    expect(await audit(databaseUrl, senders.record)).toEqual(noFaults)
    await untilPeers(first, other)
    for (const follower of followers) {
      await expect.poll(() => follower.sees(general.id)).toEqual(await stored())
      follower.close()
    }
    // Waits until the bus works again.
    const listener = await listen(other.address, bob.token)
    await untilConnected(listener, ada)
    listener.socket.close()
  }

  return { ada, bob, general, at, say, hears, untilConnected, stored, writeDuring }
}
