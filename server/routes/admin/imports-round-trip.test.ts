import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { PUBLIC_FILES } from '#contract/channel-name'
import { quoteOf } from '#contract/quotes'
import { writeArchive } from '../../exports/write-archive.ts'
import { createZip } from '../../exports/zip.ts'
import { addEmoji, isMoving, movingPicture } from '../../test/support/emoji-pictures.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { importsOf, upload } from '../../test/support/imported-workspace.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { readZip } from '../../test/support/read-zip.ts'

type Parley = Awaited<ReturnType<typeof startParley>>

async function exported({ app: { db, storage, people } }: Parley) {
  const zip = createZip()
  const written = writeArchive({
    ...{ db, storage, zip, scope: 'all' as const, readerId: null, mayRead: async () => true },
    namesOf: (ids) => people.namesOf(ids),
    onProgress: async () => {},
  })
  const [bytes] = await Promise.all([buffer(zip.stream), written])
  return bytes
}

interface Line {
  [field: string]: unknown
}
const linesOf = (file: Buffer | undefined): Line[] =>
  String(file ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The content of an archive, with names in place of ids. */
async function contentOf(bytes: Buffer) {
  const files = await readZip(bytes)
  const people = linesOf(files.get('data/people.jsonl'))
  const nameOf = new Map(people.map((it) => [it['id'], it['username']]))
  const named = (ids: unknown) => (ids as string[]).map((userId) => nameOf.get(userId)).sort()
  const listed = linesOf(files.get('data/channels.jsonl')).filter(({ name }) => name !== PUBLIC_FILES)
  const namedChannels = listed.map((channel) => ({
    channel,
    name: String(channel['name']).replace(/-parley$/, ''),
    messages: linesOf(files.get(`data/messages/${channel['id']}.jsonl`)),
  }))
  // Links contain ids: of channels, and of messages, which have a place in their channel.
  const placeOf = new Map(
    namedChannels.flatMap(({ channel, name, messages }) => [
      [String(channel['id']), name],
      ...messages.map((it, place) => [String(it['id']), `${name}/${place}`] as const),
    ]),
  )
  const withPlaces = (text: unknown) => String(text).replace(/[0-9a-f-]{36}/g, (id) => placeOf.get(id) ?? id)
  const channels = namedChannels.map(({ channel, name, messages }) => {
    const textOf = new Map(messages.map((it) => [it['id'], it['content']]))
    return {
      ...{ kind: channel['kind'], topic: channel['topic'], createdAt: channel['createdAt'], name },
      archivedAt: channel['archivedAt'],
      owner: nameOf.get(channel['ownerId']) ?? null,
      members: named(channel['memberIds']),
      messages: messages.map((it) => ({
        ...{ content: withPlaces(it['content']), createdAt: it['createdAt'], seq: it['seq'] },
        broadcast: it['broadcast'],
        ...{ editedAt: it['editedAt'], deletedAt: it['deletedAt'], by: nameOf.get(it['userId']) },
        parent: it['threadId'] === null ? null : textOf.get(it['threadId']),
        pin: { at: it['pinnedAt'], by: nameOf.get(it['pinnedBy']) ?? null },
        earlier: ((it['earlier'] ?? []) as { content: string; writtenAt: string }[]).map(({ content, writtenAt }) => ({
          ...{ content: withPlaces(content), writtenAt },
        })),
        mentions: (it['mentions'] as { username: string }[]).map(({ username }) => username).sort(),
        reactions: (it['reactions'] as { emoji: string; count: number; userIds: string[] }[]).map(
          ({ emoji, count, userIds }) => ({ emoji, count, by: named(userIds) }),
        ),
        files: (it['files'] as Record<string, string>[]).map(({ name, type, size, path }) => ({
          ...{ name, type, size, bytes: files.get(String(path))?.toString('base64') },
        })),
      })),
    }
  })
  const emoji = linesOf(files.get('data/emoji.jsonl')).map(async (it) => ({
    ...{ name: it['name'], aliases: it['aliases'], createdAt: it['createdAt'], by: nameOf.get(it['createdBy']) },
    isMoving: await isMoving(files.get(String(it['path'])) as Buffer),
  }))
  return {
    emoji: await Promise.all(emoji),
    people: people
      .map((it) => ({ username: it['username'], name: it['name'], isActive: it['deactivatedAt'] === null }))
      .sort((one, other) => String(one.username).localeCompare(String(other.username))),
    channels: channels.sort((one, other) => String(one.name).localeCompare(String(other.name))),
  }
}

async function fill({ app }: Parley, { olga, ada, bob, eve }: Record<'olga' | 'ada' | 'bob' | 'eve', Person>) {
  const { body: plans } = await ada.post('/api/channels', {
    name: 'Plans & more',
    topic: 'What <b>',
    members: [bob.id],
  })
  const { body: vault } = await bob.post('/api/channels', { name: 'vault', isPrivate: true, members: [ada.id] })
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const { body: group } = await eve.post('/api/direct-messages', { userIds: [bob.id, ada.id] })
  const parent = await ada.say(plans.id, 'Shall we, @bob? `@ada` is code\n```\n@here\n```\n#vault  **bold**')
  await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'We shall, @ada.' })
  await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'Good\n\n> quoted' })
  for (const [by, emoji] of [
    [bob, '👍'],
    [ada, '👍'],
    [ada, '🎉'],
  ] as const)
    await by.post(`/api/messages/${parent.id}/reactions`, { emoji })
  await bob.say(plans.id, '@channel lunch')
  await bob.say(plans.id, 'x'.repeat(9990))
  await bob.say(plans.id, `${'line of words\n'.repeat(700)}end`)
  const edited = await bob.say(
    plans.id,
    `first, @ada, see [this](/channels/${plans.id}?message=${parent.id}) in #vault`,
  )
  await bob.put(`/api/messages/${edited.id}`, { content: 'second' })
  await bob.put(`/api/messages/${edited.id}`, { content: 'third' })
  const gone = await bob.say(plans.id, 'taken back')
  await ada.post('/api/threads/messages', { parentMessageId: gone.id, content: 'a reply to it' })
  await bob.delete(`/api/messages/${gone.id}`)
  const alone = await bob.say(plans.id, 'also taken back')
  await bob.delete(`/api/messages/${alone.id}`)
  const { body: file } = await ada.upload(vault.id, 'cat "1".png', new Uint8Array(PICTURE), true)
  await ada.post('/api/messages', { channelId: vault.id, content: '', fileIds: [file.id] })
  await ada.say(direct.id, 'between us')
  await eve.say(group.id, 'among three')
  await addEmoji(ada, 'sloop', PICTURE, ['dinghy'])
  await addEmoji(bob, 'spin', await movingPicture())
  const sailing = await bob.say(plans.id, 'Set sail :sloop: or :dinghy:, `:spin:`')
  for (const emoji of [':sloop:', ':spin:']) await ada.post(`/api/messages/${sailing.id}/reactions`, { emoji })
  await bob.put(`/api/messages/${sailing.id}/pin`, {})
  await ada.say(plans.id, `${quoteOf({ channelId: plans.id, messageId: sailing.id }, 'Bob, 3 May')}\n\nAye`)
  await ada.say(direct.id, quoteOf({ channelId: plans.id, messageId: parent.id }, 'Ada'))
  await bob.put(`/api/channels/${vault.id}/archive`, {})
  // More people than a message's reactions list.
  const many = await ada.say(plans.id, 'many reactions')
  const { db } = app
  const fans = Array.from({ length: 70 }, (_, n) => `fan${n}`)
  await db
    .insertInto('users')
    .values(
      fans.map((fan) => ({
        ...{
          id: fan,
          username: fan,
          displayUsername: fan,
          name: fan,
          email: `${fan}@example.com`,
          emailVerified: false,
        },
      })),
    )
    .execute()
  await db
    .insertInto('reactions')
    .values(fans.map((userId) => ({ messageId: many.id, emoji: '🎉', userId })))
    .execute()
  const first = JSON.stringify([{ emoji: '🎉', count: fans.length, userIds: fans.slice(0, 50) }])
  await db.updateTable('messages').set({ reactions: first }).where('id', '=', many.id).execute()
  await olga.post(`/api/users/${eve.id}/deactivate`)
}

test('an export imported into another workspace and exported again is the same', async () => {
  const from = await startParley()
  await fill(from, await from.people('olga', 'ada', 'bob', 'eve'))
  const bytes = await exported(from)
  const to = await startParley()
  const { zoe } = await to.people('zoe')
  const { until } = importsOf(to, zoe)
  const before = await contentOf(await exported(to))
  expect((await upload(to.app, zoe, bytes)).status).toBe(201)
  const { id, plan } = await until('ready')
  expect(plan?.omitted).toEqual([])
  await zoe.post(`/api/imports/${id}/start`)
  await until('done')
  const [sent, came] = [await contentOf(bytes), await contentOf(await exported(to))]
  expect(came.emoji).toEqual(sent.emoji)
  const isNew =
    <T>(known: T[]) =>
    (it: T) =>
      !known.some((other) => JSON.stringify(other) === JSON.stringify(it))
  expect(came.people.filter(({ username }) => username !== 'zoe')).toEqual(sent.people)
  expect(came.channels.filter(isNew(before.channels))).toEqual(sent.channels)
})
