import { expect, it } from 'vitest'
import { type Contents, readAll, readBytes, shownContent } from '../../../test/support/import-archive.ts'
import { rocketchatReader } from './rocketchat.ts'

const lines = (...values: unknown[]) => values.map((it) => JSON.stringify(it)).join('\n')
const MS = 1_706_000_000_000

const rocketchat: Contents = {
  'users.json': lines(
    { _id: 'u1', username: 'ada', name: 'Ada', emails: [{ address: 'a@x.example' }], active: true },
    { _id: 'u2', username: 'bob', type: 'bot' },
  ),
  'rocketchat_room.json': [
    { _id: 'r1', t: 'c', name: 'general', topic: 'All', ts: { $date: '2024-01-01T00:00:00Z' }, u: { _id: 'u1' } },
    { _id: 'r2', t: 'd', uids: ['u1', 'u2'] },
    { _id: 'r3', t: 'l' },
  ],
  'rocketchat_subscription.json': lines({ rid: 'r1', u: { _id: 'u2' } }),
  'rocketchat_message.json': lines(
    {
      _id: 'm2',
      rid: 'r1',
      msg: 'reply',
      tmid: 'm1',
      ts: { $date: { $numberLong: `${MS + 1000}` } },
      u: { _id: 'u2' },
    },
    {
      _id: 'm1',
      rid: 'r1',
      msg: '*bold* @ada. #general :smile: :thumbsup_tone3: :slight_smile: `*x*`',
      ts: { $date: MS && '2024-01-23T08:53:20Z' },
      u: { _id: 'u1' },
      reactions: { ':+1:': { usernames: ['bob'] } },
    },
    {
      _id: 'm3',
      rid: 'r1',
      msg: '[ ](https://x/channel/general?msg=m1) so',
      ts: { $date: '2024-01-23T08:54:00Z' },
      u: { _id: 'u9', username: 'gone' },
      attachments: [
        { title: 'a.png', title_link: '/file-upload/f1/a.png' },
        { text: 'quoted', message_link: 'x' },
      ],
    },
    { _id: 'm4', rid: 'r1', t: 'uj', msg: 'ada', ts: { $date: '2024-01-23T08:54:00Z' }, u: { _id: 'u1' } },
    { _id: 'm5', rid: 'r2', msg: 'psst', ts: { $date: '2024-01-23T08:54:00Z' }, u: { _id: 'u1' } },
  ),
}

it('Rocket.Chat: collections as lines or lists, threads, quotes and direct messages', async () => {
  const { people, channels, messages, omitted } = await readAll(rocketchatReader, rocketchat)
  expect(people.map(({ key, isBot, isDeactivated }) => [key, isBot, isDeactivated])).toEqual([
    ['u1', false, false],
    ['u2', true, false],
    ['u9', false, true],
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys])).toEqual([
    ['r1', 'public', ['u2']],
    ['r2', 'direct', ['u1', 'u2']],
  ])
  expect(messages.map(({ key, parentKey, content }) => [key, parentKey, shownContent(content)])).toEqual([
    ['m1', null, '**bold** {@u1}. {#r1} 😄 👍🏽 🙂 `*x*`'],
    ['m2', 'm1', 'reply'],
    ['m3', null, '{message m1} so'],
    ['m5', null, 'psst'],
  ])
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:53:20.000Z',
    reactions: [{ emoji: '👍', personKeys: ['u2'] }],
  })
  expect(omitted).toMatchObject({ missingFile: ['a.png'], systemMessage: ['r1: m4 uj'], unknownPerson: ['gone'] })
})

const at = (time: string) => ({ $date: `2024-01-23T${time}Z` })
/** A workspace with one room and these messages. */
const workspace = (messages: object[], more: Contents = {}): Contents => ({
  'users.json': lines({ _id: 'u1', username: 'ada', active: true }, { _id: 'u2', username: 'bob', active: true }),
  'rocketchat_room.json': lines({ _id: 'r1', t: 'c', name: 'general', ts: at('08:00:00') }),
  'rocketchat_message.json': lines(
    ...messages.map((it, index) => ({
      _id: `m${index}`,
      rid: 'r1',
      msg: 'hi',
      ts: { $date: new Date(MS + index * 1000).toISOString() },
      u: { _id: 'u1' },
      ...it,
    })),
  ),
  ...more,
})

it('pins say who pinned a message and when, as far as the archive does', async () => {
  const { messages, omitted, people } = await readAll(
    rocketchatReader,
    workspace([
      { pinned: true, pinnedAt: at('09:00:00'), pinnedBy: { _id: 'u2', username: 'bob' } },
      { pinned: true, pinnedAt: {}, pinnedBy: { username: 7 } },
      { pinned: true, pinnedAt: at('09:00:00'), pinnedBy: { _id: 'u9', username: 'gone' } },
      { pinned: false, pinnedAt: at('09:00:00'), pinnedBy: { _id: 'u2' } },
    ]),
  )
  expect(messages.map(({ pin }) => pin)).toEqual([
    { at: '2024-01-23T09:00:00.000Z', personKey: 'u2' },
    { at: null, personKey: null },
    { at: '2024-01-23T09:00:00.000Z', personKey: 'u9' },
    undefined,
  ])
  expect(people.find(({ key }) => key === 'u9')).toMatchObject({ username: 'gone', isDeactivated: true })
  expect(omitted).toEqual({ unknownPerson: ['gone'] })
})

const base64 = (bytes: string) => Buffer.from(bytes).toString('base64')
const chunk = (id: unknown, n: unknown, bytes: string) => ({
  _id: { $oid: '5' },
  files_id: id,
  n,
  data: { $binary: { base64: base64(bytes), subType: '00' } },
})
const attached = (id: string, name: string, more = {}) => ({
  title: name,
  type: 'file',
  title_link: `/file-upload/${id}/${name}`,
  ...more,
})

it('emoji come with their pictures and aliases, and reactions use them', async () => {
  const contents = workspace(
    [
      {
        reactions: Object.fromEntries(
          [':Party:', ':hooray:', ':plain:', ':lost:', ':not one:', ':thumbsup_tone3:', ':tada:'].map((name) => [
            name,
            { usernames: ['ada', 'bob', 'nobody'] },
          ]),
        ),
      },
    ],
    {
      'rocketchat_custom_emoji.json': lines(
        { _id: 'e1', name: 'Party', aliases: ['Hooray', '', 7], extension: 'gif' },
        { _id: 'e2', name: 'plain', aliases: 'x', extension: 'png' },
        { _id: 'e3', name: 'party', extension: 'png' },
        { _id: 'e4', name: 'lost', extension: 'png' },
        { _id: 'e5', name: 'grün', extension: 'png' },
        { _id: 'e6', extension: 'png' },
      ),
      'custom_emoji.files.json': lines(
        { _id: { $oid: 'f1' }, filename: 'Party.gif', length: { $numberLong: '6' }, uploadDate: at('07:00:00') },
        { _id: 'party.png', length: 1 },
        { _id: { $oid: 'f4' }, filename: 'lost.png', length: 3 },
        { _id: { $oid: 'f5' }, filename: 'gr%C3%BCn.png', length: 2 },
      ),
      'custom_emoji.chunks.json': lines(
        chunk({ $oid: 'f1' }, { $numberInt: '1' }, 'ing'),
        chunk({ $oid: 'f4' }, 0, 'xx'),
        chunk({ $oid: 'f1' }, { $numberInt: '0' }, 'mov'),
        chunk('party.png', 0, 'p'),
        chunk({ $oid: 'f5' }, { $numberDouble: '0.0' }, 'gr'),
      ),
      'uploads/plain.png': 'still',
    },
  )
  const { emoji, messages, omitted } = await readAll(rocketchatReader, contents)
  expect(emoji.map(({ key, aliases, size, createdAt }) => [key, aliases, size, createdAt])).toEqual([
    ['party', ['hooray', '7'], 6, '2024-01-23T07:00:00.000Z'],
    ['plain', [], 5, null],
    ['grün', [], 2, null],
  ])
  expect(await readBytes(rocketchatReader, contents)).toEqual({
    ':party:': 'moving',
    ':plain:': 'still',
    ':grün:': 'gr',
  })
  expect(messages[0]?.reactions.map((it) => it.emoji)).toEqual([
    ':party:',
    ':hooray:',
    ':plain:',
    ':lost:',
    '👍🏽',
    '🎉',
  ])
  expect(messages[0]?.reactions[0]?.personKeys).toEqual(['u1', 'u2'])
  expect(omitted).toEqual({ customEmoji: [':lost:', ':lost:', ':not one:'], takenEmoji: [':party:'] })
})

it('files come from the collections of uploads, old and new, or from a folder', async () => {
  const contents = workspace(
    [
      { attachments: [attached('a1', 'a.txt'), attached('a2', 'b.txt')] },
      { attachments: [attached('a3', 'c.tar.gz', { size: { $numberInt: '9' } }), attached('a4', 'd')] },
      { attachments: [attached('a5', 'old', { title_link: '/ufs/rocketchat_uploads/a5.png', image_size: 3 })] },
      { attachments: [attached('../../a1', 'up'), attached('t1', 'thumbnail'), { title_link: 'https://x.example' }] },
    ],
    {
      'rocketchat_uploads.json': [
        { _id: 'a1', name: 'a.txt', size: 8, uploadedAt: at('08:30:00') },
        { _id: 'a2', name: 'b.txt', size: 4 },
        { _id: 'a4', name: 'd', size: 6 },
        { _id: 't1', name: 'thumb-a.txt', size: 1, typeGroup: 'thumb' },
      ],
      // Without the files a2 and a4, as the collection is easily forgotten.
      'rocketchat_uploads.files.json': lines({ _id: 'a1', length: 8, chunkSize: 4 }, { _id: 't1', length: 1 }),
      'rocketchat_uploads.chunks.json': lines(
        chunk('a1', 1, 'more'),
        { files_id: 'a2', n: 0, data: { $binary: base64('four'), $type: '00' } },
        chunk('a4', 0, 'part'),
        chunk('t1', 0, 'x'),
        chunk('a1', 0, 'text'),
      ),
      'server/uploads/a3.gz': 'packed',
      'uploads/room/user/a5': 'png',
      'elsewhere/a4': 'nothing',
    },
  )
  const { messages, omitted } = await readAll(rocketchatReader, contents)
  const files = messages.flatMap((message) => message.files)
  expect(files.map(({ key, name, size, open }) => [key, name, size, open !== null])).toEqual([
    ['a1', 'a.txt', 8, true],
    ['a2', 'b.txt', 4, true],
    ['a3', 'c.tar.gz', 6, true],
    ['a4', 'd', 6, false],
    ['a5', 'old', 3, true],
    ['t1', 'thumbnail', null, false],
  ])
  expect(files[0]?.createdAt).toBe('2024-01-23T08:30:00.000Z')
  expect(await readBytes(rocketchatReader, contents)).toEqual({ a1: 'textmore', a2: 'four', a3: 'packed', a5: 'png' })
  expect(omitted).toEqual({ missingFile: ['d', 'thumbnail'] })
})

it("a workspace's emoji replace standard ones of the same name", async () => {
  const { messages } = await readAll(
    rocketchatReader,
    workspace([{ msg: ':Hugging: :nerd:', reactions: { ':hugging:': { usernames: ['ada'] } } }], {
      'rocketchat_custom_emoji.json': lines({ _id: 'e1', name: 'hugging', extension: 'png' }),
      'uploads/hugging.png': 'picture',
    }),
  )
  expect(messages[0]?.content).toEqual([{ text: ':Hugging: 🤓' }])
  expect(messages[0]?.reactions.map(({ emoji }) => emoji)).toEqual([':hugging:'])
})

it('values of the wrong type do no harm', async () => {
  const junk = [null, 7, 'x', [], [null], {}, { $oid: {} }, { $date: [] }, { $binary: { base64: 5 } }, -1, 1e300, '\0']
  const fields = [
    '_id',
    'name',
    'aliases',
    'extension',
    'filename',
    'length',
    'size',
    'files_id',
    'n',
    'data',
    'typeGroup',
  ]
  const rows = lines(...junk, ...fields.flatMap((field) => junk.map((value) => ({ _id: 'a', [field]: value }))))
  const messages = ['pinned', 'pinnedAt', 'pinnedBy', 'reactions', 'attachments', 't', 'u', 'rid'].flatMap((field) =>
    junk.map((value) => ({ pinned: true, [field]: value })),
  )
  const { messages: read, emoji } = await readAll(
    rocketchatReader,
    workspace(
      [...messages, { attachments: [attached('a', 'a')] }, { attachments: [{ title_link: '/file-upload/' }] }],
      Object.fromEntries(
        ['rocketchat_custom_emoji', 'rocketchat_uploads', 'rocketchat_uploads.files', 'rocketchat_uploads.chunks']
          .concat('custom_emoji.files', 'custom_emoji.chunks')
          .map((name) => [`${name}.json`, rows]),
      ),
    ),
  )
  expect(emoji).toEqual([])
  expect(read.length).toBeGreaterThan(40)
  expect(read.flatMap((message) => message.files).map(({ name, open }) => [name, open])).toContainEqual(['a', null])
})
