import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { ZipFile } from 'yazl'
import type { Import } from '#contract/imports'
import { PICTURE } from './fixture.ts'
import type { Person } from './parley.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

export const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
export const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
export const at = (minute: number) => new Date(Date.UTC(2021, 2, 4, 9, minute)).toISOString()
export const someone = (n: number, username: string, more = {}) => ({
  ...{ id: `p${n}`, username, name: username.toUpperCase(), email: `${username}@old.example`, deactivatedAt: null },
  ...more,
})
export const room = (n: number, kind: string, name: string, memberIds: string[]) => ({
  ...{ id: id(n), kind, name, topic: `about ${name}`, ownerId: memberIds[0], createdAt: at(0), memberIds },
})
let places = 0
export const said = (n: number, channel: number, userId: string, content: string, more = {}) => ({
  ...{ id: id(n), channelId: id(channel), threadId: null, userId, seq: ++places, content, createdAt: at(n % 60) },
  ...{ editedAt: null, deletedAt: null, mentions: [], broadcast: null, reactions: [], files: [] },
  ...more,
})

/** An archive with every kind of content, in the format of Parley's export. */
export const contents = (): Record<string, string | Buffer> => ({
  'manifest.json': lines({ format: 'parley-export', version: 1 }),
  'data/people.jsonl': lines(
    someone(1, 'ada', { email: 'ada@example.com' }),
    someone(2, 'bob', { email: 'bob@example.com' }),
    someone(3, 'mia'),
    someone(4, 'gone', { deactivatedAt: at(1) }),
  ),
  'data/channels.jsonl': lines(
    room(1, 'public', 'general', ['p1', 'p2', 'p3']),
    room(2, 'private', 'board', ['p3', 'p1']),
    room(3, 'direct', 'dm', ['p2', 'p3']),
  ),
  [`data/messages/${id(1)}.jsonl`]: lines(
    said(101, 1, 'p3', 'Good morning @bob', { mentions: [{ userId: 'p2', username: 'bob' }] }),
    said(103, 1, 'p2', 'first reply', { threadId: id(101) }),
    said(104, 1, 'p1', 'second reply', { threadId: id(101), reactions: [{ emoji: '🎉', userIds: ['p3'] }] }),
    said(105, 1, 'p4', 'I was here, too', {
      ...{ editedAt: at(20), reactions: [{ emoji: '👍', userIds: ['p1', 'p3'] }] },
      files: [{ id: id(500), name: 'cat.png', size: PICTURE.length, createdAt: at(5), path: 'files/cat.png' }],
    }),
    said(106, 1, 'p3', '@channel lunch', { broadcast: 'channel' }),
  ),
  [`data/messages/${id(2)}.jsonl`]: lines(said(201, 2, 'p3', 'quartz budget')),
  [`data/messages/${id(3)}.jsonl`]: lines(said(301, 3, 'p3', 'quartz secret'), said(302, 3, 'p2', 'quartz answer')),
  'files/cat.png': Buffer.from(PICTURE),
})

export async function zipOf(files: Record<string, string | Buffer>) {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  // There are no files without a message.
  for (const name of Object.keys(files))
    if (name.startsWith('data/messages/')) zip.addBuffer(Buffer.from(''), name.replace('messages', 'files'))
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

export async function upload(app: FastifyInstance, by: Person, bytes: Uint8Array, name = 'export.zip') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const headers = { authorization: `Bearer ${by.token}` }
  const answer = await app.inject({ method: 'POST', url: '/api/imports', headers, payload: form })
  return { status: answer.statusCode, body: answer.json() }
}

/** Actions of the owner and others on imports. */
export function importsOf({ app }: { app: FastifyInstance }, owner: Person) {
  const newest = async (): Promise<Import> => (await owner.get('/api/imports')).body[0]
  const until = async (state: Import['state']) => {
    await expect.poll(async () => (await newest()).state, { timeout: STATE_TIMEOUT_MS }).toBe(state)
    return newest()
  }
  const uploaded = async (files = contents()) => {
    expect((await upload(app, owner, await zipOf(files))).status).toBe(201)
    return until('ready')
  }
  const imported = async (files = contents()) => {
    const { id: importId } = await uploaded(files)
    expect((await owner.post(`/api/imports/${importId}/start`)).status).toBe(200)
    return until('done')
  }
  const undone = async ({ id: importId }: Import) => {
    expect((await owner.delete(`/api/imports/${importId}`)).status).toBe(200)
    return until('undone')
  }
  return { newest, until, uploaded, imported, undone }
}

export const channelsOf = async (by: Person) => {
  const { body } = await by.get('/api/channels?limit=100')
  return [...body.channels, ...body.directMessages] as { id: string; name: string; kind: string }[]
}
export const channelOf = async (by: Person, name: string) => (await channelsOf(by)).find((it) => it.name === name)
export const messagesOf = async (by: Person, channelId: string | undefined) =>
  (await by.get(`/api/messages/channel/${channelId}?limit=100`)).body
