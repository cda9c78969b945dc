import type { FastifyInstance } from 'fastify'
import { vi } from 'vitest'
import { adoptFile, writePending } from '../../files/kept-file.ts'
import { previewColumn } from '../../messages/message-previews.ts'
import { readMessage, updateMessage } from '../../messages/update-message.ts'
import { type Listener, type Person, startParley } from './parley.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

export type ConversationKind = 'private' | 'direct' | 'public'

/** A conversation with messages, files and reactions. */
export interface Conversation {
  kind: ConversationKind
  channelId: string
  /** By Bob, with a thread and a reaction. */
  messageId: string
  /** By Bob. */
  replyId: string
  /** By Bob, shown to everyone. */
  fileId: string
  /** By Bob, a picture that has not been sent yet. */
  unsentId: string
  /** The picture of a link preview of the message. */
  pictureId: string
  /** A mark contained in all its texts, and its ids. Must never reach outsiders in responses, events or the log. */
  secrets: string[]
}

/** One red pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** Of the previews. */
export const LINK = 'https://linked.example/'

let made = 0

/**
 * Signs up people: Root owns the workspace; Ada owns the channels, Bob is a member, Cyd was one, Dan was one and is deactivated,
 * Eve never was; Zed is a member, which only members may know; Gus has no special role; Gil and Gem are guests, Gil in every
 * conversation and Gem only in the lobby.
 */
export async function createPeople() {
  const log: string[] = []
  const parley = await startParley({ LOG_LEVEL: 'trace' }, { write: (line) => log.push(line) })
  const root = await parley.person('root')
  const ada = await parley.person('ada')
  const bob = await parley.person('bob')
  const cyd = await parley.person('cyd')
  const dan = await parley.person('dan')
  const eve = await parley.person('eve')
  const zed = await parley.person('zed')
  const gus = await parley.person('gus')
  const { body: lobby } = await root.post('/api/channels', { name: 'lobby', isPrivate: true })
  const { body: invite } = await root.post('/api/invites', { guests: { channelIds: [lobby.id], days: 30 } })
  const gil = await parley.person('gil', invite.code)
  const gem = await parley.person('gem', invite.code)
  const danListened = await dan.listen()
  await root.put(`/api/users/${dan.id}/deactivation`, {})
  await vi.waitUntil(async () => (await dan.get('/api/users')).status === 401, { timeout: STATE_TIMEOUT_MS })
  const { epoch } = await parley.app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()
  return {
    ...parley,
    epoch,
    log,
    root,
    ada,
    bob,
    cyd,
    dan,
    eve,
    zed,
    gus,
    gil,
    gem,
    lobbyId: lobby.id as string,
    danListened,
  }
}
export type People = Awaited<ReturnType<typeof createPeople>>

const MAX_TRIES = 10

/** The body of a successful answer. A busy server answers 503, upon which clients try again. */
async function taken(ask: () => Promise<{ status: number; body: { id: string } }>) {
  for (let tries = 1; ; tries++) {
    const { status, body } = await ask()
    if (status < 400) return body
    if (status !== 503 || tries === MAX_TRIES) throw new Error(`${status}: ${JSON.stringify(body)}`)
  }
}

/** Creates a conversation. On return, Cyd's sockets have received the removal. */
export async function createConversation(
  people: People,
  kind: ConversationKind,
  cydHears?: Listener,
): Promise<Conversation> {
  const { app, ada, bob, cyd, dan, zed, gil } = people
  const n = made++
  const mark = `${kind === 'public' ? 'open' : 'quartz'}-${n}.`
  const another = kind === 'direct' ? (await stranger(people, n)).id : ''
  const { id: channelId } = await taken(() =>
    kind === 'direct'
      ? ada.post('/api/direct-messages', { userIds: [bob.id, gil.id, another] })
      : ada.post('/api/channels', {
          name: mark,
          isPrivate: kind === 'private',
          members: [bob.id, cyd.id, zed.id, gil.id],
        }),
  )
  const { id: messageId } = await bob.say(channelId, `message of ${mark}`)
  const reply = async (person: Person) =>
    taken(() => person.post('/api/threads/messages', { parentMessageId: messageId, content: `reply of ${mark}` }))
  const [{ id: replyId }, file, unsent] = await Promise.all([
    reply(bob),
    taken(() => bob.upload(channelId, `file of ${mark}.txt`)),
    taken(() => bob.upload(channelId, `unsent of ${mark}.png`, PICTURE, true)),
    bob.post(`/api/messages/${messageId}/reactions`, { emoji: '🎉' }),
  ])
  if (kind !== 'direct') {
    await reply(cyd)
    await ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id })
    await cydHears?.waitFor('channel:left', (it) => it.channelId === channelId)
    await app.db.insertInto('memberships').values({ channelId, userId: dan.id }).execute()
  }
  const pictureId = await addPreview(app, bob, { channelId, messageId })
  const ids = { channelId, messageId, replyId, fileId: file.id, unsentId: unsent.id, pictureId }
  return { kind, ...ids, secrets: [mark, ...Object.values(ids)] }
}

/** Adds a preview to a message, as if its link had been fetched. Returns the id of the picture. */
export async function addPreview(
  app: FastifyInstance,
  { id: userId }: { id: string },
  place: { channelId: string; messageId: string },
) {
  const fileId = await writePending(app, { userId, name: 'preview.webp', bytes: PICTURE })
  const facts = { url: LINK, title: 'A page', description: '', site: 'linked.example' }
  const previews = previewColumn([{ ...facts, picture: { fileId, width: 40, height: 40 } }])
  await app.writer.change(
    place.channelId,
    async (tx) => {
      await adoptFile(tx, fileId, place)
      await updateMessage(tx, await readMessage(tx, place.messageId), previews)
    },
    () => {},
  )
  return fileId
}

/** A new user, which makes the direct message of three a new one. */
async function stranger({ app }: { app: FastifyInstance }, n: number) {
  const id = `stranger-${n}`
  const user = { id, name: id, username: id, email: `${id}@example.com` }
  await app.db.insertInto('users').values(user).execute()
  return user
}
