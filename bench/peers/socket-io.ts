import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { io } from 'socket.io-client'
import { openConnection } from '../load/http-connection.ts'
import { ended, temporaryFolder } from '../setup/start-parley.ts'
import { callJson } from './json-calls.ts'
import type { Peer, Prepared } from './peer.ts'

interface PreparedServer extends Prepared {
  port: number
  connections: Awaited<ReturnType<typeof openConnection>>[]
}

export const peer: Peer<PreparedServer> = {
  name: 'Socket.IO and one insert',

  async prepare(cleanup, people) {
    const folder = await temporaryFolder(cleanup)
    const program = fileURLToPath(new URL('socket-io-server.ts', import.meta.url))
    const child = fork(program, [folder])
    await cleanup.add(() => ended(child, () => child.disconnect()))
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const connections = await Promise.all(Array.from({ length: people }, () => openConnection(port)))
    return { pid: child.pid as number, port, connections }
  },

  async send({ connections }, person, text) {
    const connection = connections[person] as PreparedServer['connections'][number]
    await callJson(connection, ['POST', '/messages'], {}, { author: `person-${person}`, text })
  },

  async listen({ port }, _, onText) {
    const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true })
    socket.on('message', ({ text }: { text: string }) => onText(text))
    await once(socket as unknown as NodeJS.EventEmitter, 'connect')
  },

  async page({ connections }, person) {
    const connection = connections[person] as PreparedServer['connections'][number]
    return ((await callJson(connection, ['GET', '/messages'], {})) as unknown[]).length
  },
}
