import { expect, it } from 'vitest'
import { type Contents, readAll, readBytes, shownContent } from '../../../test/support/import-archive.ts'
import { zulipReader } from './zulip.ts'

const zulip: Contents = {
  'realm.json': {
    zerver_userprofile: [
      { id: 1, full_name: 'Ada', delivery_email: 'ada@x.example', is_active: true },
      { id: 2, full_name: 'Bob B', email: 'user2@zulip.x.example', is_active: false, is_bot: false },
    ],
    zerver_stream: [{ id: 5, name: 'general', description: 'All', invite_only: false, date_created: 1_700_000_000.5 }],
    zerver_recipient: [
      { id: 50, type: 2, type_id: 5 },
      { id: 51, type: 1, type_id: 2 },
      { id: 52, type: 3, type_id: 9 },
    ],
    zerver_subscription: [
      { recipient: 50, user_profile: 1, active: true },
      { recipient: 52, user_profile: 1 },
      { recipient: 52, user_profile: 2 },
    ],
    zerver_reaction: [
      { message: 100, user_profile: 2, emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ],
    zerver_realm: [{ id: 1 }],
  },
  'attachment.json': {
    zerver_attachment: [{ id: 1, file_name: 'a.txt', path_id: '1/ab/a.txt', size: 5, messages: [100] }],
  },
  'uploads/1/ab/a.txt': 'bytes',
  'messages-000001.json': {
    zerver_message: [
      {
        id: 100,
        sender: 1,
        recipient: 50,
        subject: 'Lunch *today*',
        content: 'see @**Bob B** [a.txt](/user_uploads/1/ab/a.txt)',
        date_sent: 1_706_000_000.25,
      },
      {
        id: 101,
        sender: 2,
        recipient: 50,
        subject: 'lunch *today*',
        content: '```quote\nsee\n```\n#**general** #**general>x@100** :smile:',
        date_sent: 1_706_000_001,
      },
      { id: 102, sender: 2, recipient: 50, subject: '', content: 'no topic', date_sent: 1_706_000_002 },
      { id: 103, sender: 1, recipient: 51, subject: '', content: 'psst', date_sent: 1_706_000_003 },
      { id: 104, sender: 1, recipient: 52, subject: '', content: '@**all** `@**Ada**`', date_sent: 1_706_000_004 },
    ],
    zerver_usermessage: [],
  },
}

it('Zulip: topics become threads, with quotes, files and direct messages', async () => {
  const { people, channels, messages, omitted } = await readAll(zulipReader, zulip)
  expect(people.map(({ name, email, isDeactivated }) => [name, email, isDeactivated])).toEqual([
    ['Ada', 'ada@x.example', false],
    ['Bob B', null, true],
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys])).toEqual([
    ['stream 5', 'public', ['1']],
    ['direct 1,2', 'direct', ['1', '2']],
  ])
  expect(messages.map(({ key, parentKey, content }) => [key, parentKey, shownContent(content)])).toEqual([
    ['100', null, '**Lunch \\*today\\***\n\nsee {@2}'],
    ['101', '100', '> see\n\n{#stream 5} {message 100} 🙂'],
    ['102', null, 'no topic'],
    ['103', null, 'psst'],
    ['104', null, '{@channel} `@**Ada**`'],
  ])
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:53:20.250000Z',
    reactions: [{ emoji: '👍', personKeys: ['2'] }],
    files: [{ name: 'a.txt', size: 5 }],
  })
  expect(omitted).toEqual({})
})

/** An organization with a channel, two people and these tables. */
const organization = (realm: Record<string, unknown>, messages: object[] = [], more: Contents = {}): Contents => ({
  'x/realm.json': {
    zerver_userprofile: [
      { id: 1, full_name: 'Ada' },
      { id: 2, full_name: 'Bob' },
    ],
    zerver_stream: [{ id: 5, name: 'general', invite_only: false }],
    zerver_recipient: [{ id: 50, type: 2, type_id: 5 }],
    ...realm,
  },
  'x/messages-000001.json': {
    zerver_message: messages.map((it, index) => ({
      id: 100 + index,
      sender: 1,
      recipient: 50,
      subject: '',
      content: 'hi',
      date_sent: 1_706_000_000 + index,
      ...it,
    })),
  },
  ...more,
})

it('archived channels get their name back, and say since when if the audit log does', async () => {
  const { channels, messages, omitted } = await readAll(
    zulipReader,
    organization(
      {
        zerver_realmauditlog: [
          { event_type: 602, modified_stream: 6, event_time: 1_706_000_020 },
          { event_type: 602, modified_stream: 6, event_time: 1_706_000_010 },
          { event_type: 602, modified_stream: 5, event_time: 1_706_000_010 },
          { event_type: 602, modified_stream: [], event_time: {} },
          { event_type: 604, modified_stream: 7, event_time: 1_706_000_010 },
        ],
        zerver_stream: [
          { id: 5, name: 'general', invite_only: false, deactivated: false },
          { id: 6, name: '0a1b2c3!DEACTIVATED:old', deactivated: true },
          { id: 7, name: '!!DEACTIVATED:general', deactivated: true },
          { id: 8, name: '!DEACTIVATED:', deactivated: true },
          { id: 9, name: '!DEACTIVATED:not', deactivated: 'yes' },
        ],
      },
      [{ content: '#**general** #**old**' }],
    ),
  )
  expect(channels.map(({ key, name, archived }) => [key, name, archived])).toEqual([
    ['stream 5', 'general', undefined],
    ['stream 6', 'old', '2024-01-23T08:53:40.000000Z'],
    ['stream 7', 'general', true],
    ['stream 8', '!DEACTIVATED:', true],
    ['stream 9', '!DEACTIVATED:not', undefined],
  ])
  expect(shownContent(messages[0]?.content ?? [])).toBe('{#stream 5} {#stream 6}')
  expect(omitted).toEqual({})
})

it('emoji come with their pictures, and reactions use them', async () => {
  const reacted = (emoji_name: unknown, more = {}) => ({
    message: 100,
    user_profile: 1,
    emoji_name,
    emoji_code: '7',
    reaction_type: 'realm_emoji',
    ...more,
  })
  const contents = organization(
    {
      zerver_reaction: [
        reacted('Party'),
        reacted('party', { user_profile: 2 }),
        reacted('lost'),
        reacted('gone'),
        reacted('a.b'),
        reacted(['x']),
        reacted('zulip', { reaction_type: 'zulip_extra_emoji', emoji_code: 'zulip' }),
        reacted('tada', { reaction_type: 'unicode_emoji', emoji_code: '1f389' }),
        reacted('nonsense', { reaction_type: 'unicode_emoji', emoji_code: '7' }),
      ],
      zerver_realmemoji: [
        { id: 7, realm: 2, name: 'party', file_name: '7.gif', author: 1, date_created: 1_706_000_000 },
        { id: 8, realm: 2, name: 'lost', file_name: '8.png', author: 1 },
        { id: 9, realm: 2, name: 'gone', file_name: '9.png', deactivated: true },
        { id: 10, realm: 2, name: 'back', file_name: '9.png', deactivated: true },
        { id: 11, realm: 2, name: 'back', file_name: '11.png', author: 99, deactivated: false },
        { id: 12, realm: 2, name: 'climb', file_name: '../../realm.json' },
        { id: 13, realm: 2, name: {}, file_name: '11.png' },
        { id: 14, realm: 2, name: 'null', file_name: null },
      ],
    },
    [{}],
    {
      'x/emoji/2/emoji/images/7.gif': 'moves',
      'x/emoji/2/emoji/images/7.gif.original': 'larger',
      'x/emoji/2/emoji/images/still/7.gif': 'still',
      'x/emoji/2/emoji/images/9.png': 'gone',
      'x/emoji/2/emoji/images/11.png': 'back',
      'x/emoji/records.json': [{ name: 'party', path: '2/emoji/images/7.gif' }],
    },
  )
  const { emoji, messages, omitted } = await readAll(zulipReader, contents)
  expect(emoji.map(({ key, authorKey, createdAt, size }) => [key, authorKey, createdAt, size])).toEqual([
    ['party', '1', '2024-01-23T08:53:20.000000Z', 5],
    ['back', '99', null, 4],
  ])
  expect(await readBytes(zulipReader, contents)).toEqual({ ':party:': 'moves', ':back:': 'back' })
  expect(messages[0]?.reactions).toEqual([
    { emoji: ':party:', personKeys: ['1', '2'] },
    { emoji: ':lost:', personKeys: ['1'] },
    { emoji: ':gone:', personKeys: ['1'] },
    { emoji: ':zulip:', personKeys: ['1'] },
    { emoji: '🎉', personKeys: ['1'] },
  ])
  expect(omitted['customEmoji']?.sort()).toEqual([
    '::',
    ':a.b:',
    ':climb:',
    ':gone:',
    ':lost:',
    ':nonsense:',
    ':null:',
    ':zulip:',
  ])
})

it('the texts before edits are converted, oldest first, with the times when they were written', async () => {
  const history = (...entries: unknown[]) => ({
    last_edit_time: 1_706_000_099,
    edit_history: JSON.stringify(entries),
  })
  const { messages, people } = await readAll(
    zulipReader,
    organization({}, [
      {
        subject: 'lunch',
        content: 'third',
        ...history(
          { user_id: 1, timestamp: 1_706_000_030, prev_content: 'second :smile:', prev_rendered_content: '<p>' },
          { user_id: 1, timestamp: 1_706_000_020, prev_topic: 'dinner', topic: 'lunch' },
          { user_id: 1, timestamp: 1_706_000_010, prev_content: 'first @**Bob**', prev_topic: 'a', topic: 'dinner' },
        ),
      },
      { content: 'moved', ...history({ timestamp: 1_706_000_010, prev_stream: 4, stream: 5 }) },
      {
        content: 'same second',
        ...history(...['c', 'b', 'a'].map((it) => ({ timestamp: 1_706_000_010, prev_content: it }))),
      },
      { content: 'old', last_edit_time: 1_706_000_010, edit_history: null },
    ]),
  )
  expect(people).toHaveLength(2)
  expect(
    messages.map(({ editedAt, earlier }) => [
      editedAt?.slice(17, 19),
      earlier?.map(({ content, writtenAt }) => [shownContent(content), writtenAt.slice(17, 19)]),
    ]),
  ).toEqual([
    [
      '50',
      [
        ['**lunch**\n\nfirst {@2}', '20'],
        ['**lunch**\n\nsecond 🙂', '30'],
      ],
    ],
    [undefined, undefined],
    [
      '30',
      [
        ['a', '22'],
        ['b', '30'],
        ['c', '30'],
      ],
    ],
    ['30', undefined],
  ])
})

it('a long history is read completely, and a damaged one does no harm', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    timestamp: 1_706_000_000 + index,
    prev_content: `${index}`,
  }))
  const junk = [
    '[',
    '7',
    '{}',
    '[null,7,"x",[]]',
    '[{"prev_content":"x"}]',
    '[{"timestamp":5,"prev_content":{}}]',
    7,
    {},
  ]
  const { messages } = await readAll(
    zulipReader,
    organization({}, [{ edit_history: JSON.stringify(many.reverse()) }, ...junk.map((it) => ({ edit_history: it }))]),
  )
  expect(messages.map(({ earlier }) => earlier?.length)).toEqual([60, ...junk.map(() => undefined)])
  expect(messages[0]?.earlier?.map(({ content }) => Number(shownContent(content)))).toEqual(
    Array.from({ length: 60 }, (_, index) => index),
  )
})
