import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent } from '../../test/support/import-archive.ts'
import { mattermostReader } from './mattermost.ts'

const lines = (...values: unknown[]) =>
  values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n')
const MS = 1_706_000_000_000

const mattermost: Contents = {
  'import.jsonl': lines(
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'crew' } },
    { type: 'channel', channel: { team: 'crew', name: 'town', display_name: 'Town', type: 'O', header: 'All' } },
    { type: 'channel', channel: { team: 'crew', name: 'lab', display_name: 'Lab', type: 'P', deleted_at: MS } },
    { type: 'emoji', emoji: { name: 'Party', image: 'exported_emoji/1/image' } },
    { type: 'emoji', emoji: { name: 'lost', image: 'exported_emoji/2/image' } },
    { type: 'emoji', emoji: { name: 5, image: { a: 1 } } },
    {
      type: 'user',
      user: {
        username: 'ada',
        email: 'a@x.example',
        first_name: 'Ada',
        last_name: 'L',
        teams: [{ name: 'crew', channels: [{ name: 'town' }, { name: 'lab' }] }],
      },
    },
    { type: 'user', user: { username: 'bob', nickname: 'Bobby', delete_at: 9, teams: null } },
    { type: 'bot', bot: { username: 'ci', display_name: 'CI', owner: 'ada' } },
    '{"type":"post", broken',
    { type: 'post', post: { team: 'crew', channel: 'town', user: 'bob', message: 'second', create_at: MS + 2000 } },
    {
      type: 'post',
      post: {
        team: 'crew',
        channel: 'town',
        user: 'ada',
        message: 'hi @bob. see ~lab and `@bob` @all',
        create_at: MS,
        edit_at: MS + 5,
        is_pinned: true,
        reactions: [
          { user: 'bob', emoji_name: '+1', create_at: MS },
          { user: 'bob', emoji_name: 'custom', create_at: MS },
          { user: 'ada', emoji_name: 'party', create_at: MS },
        ],
        attachments: [{ path: 'a/b.txt' }, { path: 'gone.txt' }],
        replies: [
          { user: 'bob', message: 'late', create_at: MS + 9000 },
          { user: 'eve', message: 'soon', create_at: MS + 4000 },
        ],
      },
    },
    {
      type: 'post',
      post: {
        team: 'crew',
        channel: 'town',
        user: 'ada',
        type: 'system_join_channel',
        message: 'joined',
        create_at: MS,
      },
    },
    { type: 'direct_channel', direct_channel: { members: ['bob', 'ada'] } },
    {
      type: 'direct_post',
      direct_post: {
        channel_members: ['ada', 'bob'],
        user: 'ada',
        message: 'psst',
        create_at: MS,
        props: { attachments: [{ text: 'more' }] },
      },
    },
    { type: 'something_new', something_new: {} },
  ),
  'data/a/b.txt': 'bytes',
  'data/exported_emoji/1/image': 'picture',
}

it('Mattermost: posts in any order, nested replies, reactions, direct messages and files', async () => {
  const { people, emoji, channels, messages, omitted } = await readAll(mattermostReader, mattermost)
  expect(people.map(({ key, name, isBot, isDeactivated }) => [key, name, isBot, isDeactivated])).toEqual([
    ['ada', 'Ada L', false, false],
    ['bob', 'Bobby', false, true],
    ['ci', 'CI', true, false],
    ['eve', 'eve', false, true],
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys])).toEqual([
    ['crew/town', 'public', ['ada']],
    ['crew/lab', 'private', ['ada']],
    ['@ada,bob', 'direct', ['ada', 'bob']],
  ])
  expect(channels.map(({ archived }) => archived)).toEqual([undefined, '2024-01-23T08:53:20.000Z', undefined])
  expect(emoji.map(({ key, size }) => [key, size])).toEqual([['party', 7]])
  expect(messages.filter(({ pin }) => pin)).toHaveLength(1)
  const first = messages.find(({ content }) => shownContent(content).startsWith('hi'))
  expect(messages.map(({ content, parentKey }) => [shownContent(content), parentKey === first?.key])).toEqual([
    ['hi {@bob}. see {#crew/lab} and `@bob` {@channel}', false],
    ['second', false],
    ['soon', true],
    ['late', true],
    ['psst\n\nmore', false],
  ])
  expect(first).toMatchObject({
    editedAt: '2024-01-23T08:53:20.005Z',
    pin: { at: null, personKey: null },
    reactions: [
      { emoji: '👍', personKeys: ['bob'] },
      { emoji: ':custom:', personKeys: ['bob'] },
      { emoji: ':party:', personKeys: ['ada'] },
    ],
  })
  expect(first?.files.map(({ name, size }) => [name, size])).toEqual([
    ['b.txt', 5],
    ['gone.txt', null],
  ])
  expect(omitted).toEqual({
    customEmoji: [':lost:', ':5:', ':custom:'],
    damagedLine: ['import.jsonl: line 11'],
    missingFile: ['gone.txt'],
    systemMessage: ['crew/town: system_join_channel'],
    unknownPerson: ['eve'],
  })
})

it('Mattermost: a later version of the format is refused', async () => {
  const later = { 'import.jsonl': lines({ type: 'version', version: 2 }) }
  await expect(readAll(mattermostReader, later)).rejects.toMatchObject({ reason: 'newerVersion' })
})

/** An export of one channel with these posts. */
const town = (posts: object[], ...more: object[]): Contents => ({
  'import.jsonl': lines(
    { type: 'version', version: 1 },
    { type: 'channel', channel: { team: 'crew', name: 'town', type: 'O' } },
    { type: 'user', user: { username: 'ada' } },
    ...posts.map((post, index) => ({
      type: 'post',
      post: { team: 'crew', channel: 'town', user: 'ada', create_at: MS + index, message: '', ...post },
    })),
    ...more,
  ),
  'data/1/image': 'picture',
})
const textsOf = async (...texts: string[]) =>
  (await readAll(mattermostReader, town(texts.map((message) => ({ message }))))).messages.map(({ content }) =>
    shownContent(content),
  )

it('Mattermost: values that are not times are no times', async () => {
  for (const wrong of [{ toString: 1 }, {}, [1], [], true, null, '', 'soon', -1, 1e300]) {
    const { people, channels, messages } = await readAll(
      mattermostReader,
      town(
        [{ edit_at: wrong }, { create_at: wrong }, { edit_at: `${MS}` }],
        { type: 'channel', channel: { team: 'crew', name: 'lab', create_at: wrong, deleted_at: wrong } },
        { type: 'user', user: { username: 'bob', delete_at: wrong } },
      ),
    )
    expect(messages.map(({ editedAt }) => editedAt)).toEqual([null, '2024-01-23T08:53:20.000Z'])
    const isDate = wrong === 1e300
    expect(channels.map(({ createdAt, archived }) => [createdAt, archived])).toEqual([
      [null, undefined],
      [null, isDate || undefined],
    ])
    expect(people.map(({ isDeactivated }) => isDeactivated)).toEqual([false, isDate])
  }
})

it('Mattermost: reactions use emoji that come after the posts', async () => {
  const reactions = ['Party', 'party', 'gone', 'plain', 'gone', '+1_dark_skin_tone', 'hugs', 'no name'].map(
    (emoji_name) => ({
      user: 'ada',
      emoji_name,
    }),
  )
  const emoji = (name: string, image: string) => ({ type: 'emoji', emoji: { name, image } })
  const { messages, omitted } = await readAll(
    mattermostReader,
    town([{ reactions }], emoji('party', '1/image'), emoji('plain', '2/image')),
  )
  expect(messages[0]?.reactions.map((it) => it.emoji)).toEqual([':party:', ':gone:', ':plain:', '👍🏿', '🤗'])
  expect(omitted).toEqual({ customEmoji: [':gone:', ':plain:', ':no name:'] })
})

it('Mattermost: names of emoji in texts become emoji, but not in code', async () => {
  expect(
    await textsOf(':tada: (:smile:) :+1_medium_skin_tone:, :roll_eyes: :party: `:tada:` 12:00:00', '```\n:tada:\n```'),
  ).toEqual(['🎉 (😄) 👍🏽, 🙄 :party: `:tada:` 12:00:00', '```\n:tada:\n```'])
})
