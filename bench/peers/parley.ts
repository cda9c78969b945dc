import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { io } from 'socket.io-client'
import { openConnection } from '../load/http-connection.ts'
import { signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'
import { callJson } from './json-calls.ts'
import type { Peer, Prepared } from './peer.ts'

interface PreparedParley extends Prepared {
  port: number
  channelId: string
  people: {
    headers: { authorization: string }
    token: string
    connection: Awaited<ReturnType<typeof openConnection>>
  }[]
}

export const peer: Peer<PreparedParley> = {
  name: 'Parley',

  async prepare(cleanup, count) {
    const settings = { DATA_DIR: await temporaryFolder(cleanup), DATABASE_URL: '' }
    const { pid, port } = await startParley(cleanup, settings)
    const people: PreparedParley['people'] = []
    for (const { token } of await signUp(port, count))
      people.push({ token, headers: { authorization: `Bearer ${token}` }, connection: await openConnection(port) })
    const [first] = people as [PreparedParley['people'][number]]
    const { channels } = (await callJson(first.connection, ['GET', '/api/channels'], first.headers)) as {
      channels: { id: string; name: string }[]
    }
    const general = channels.find(({ name }) => name === 'general')
    if (!general) throw new Error('there is no channel that everybody is in')
    return { pid, port, channelId: general.id, people }
  },

  async send({ people, channelId }, person, content) {
    const { connection, headers } = people[person] as PreparedParley['people'][number]
    await callJson(connection, ['POST', '/api/messages'], headers, { channelId, content, clientId: randomUUID() })
  },

  async listen({ people, port }, person, onText) {
    const auth = { token: people[person]?.token }
    const socket = io(`http://127.0.0.1:${port}`, { auth, transports: ['websocket'], forceNew: true })
    socket.on('message:created', ({ content }: { content: string }) => onText(content))
    await once(socket as unknown as NodeJS.EventEmitter, 'ready')
  },

  async page({ people, channelId }, person) {
    const { connection, headers } = people[person] as PreparedParley['people'][number]
    const path = `/api/messages/channel/${channelId}?limit=50`
    return ((await callJson(connection, ['GET', path], headers)) as unknown[]).length
  },
}
