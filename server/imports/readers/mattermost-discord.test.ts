import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent } from '../../test/support/import-archive.ts'
import { discordReader } from './discord.ts'
import { mattermostReader } from './mattermost.ts'

const lines = (...values: unknown[]) =>
  values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n')
const MS = 1_706_000_000_000

const mattermost: Contents = {
  'import.jsonl': lines(
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'crew' } },
    { type: 'channel', channel: { team: 'crew', name: 'town', display_name: 'Town', type: 'O', header: 'All' } },
    { type: 'channel', channel: { team: 'crew', name: 'lab', display_name: 'Lab', type: 'P', deleted_at: 5 } },
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
        reactions: [
          { user: 'bob', emoji_name: '+1', create_at: MS },
          { user: 'bob', emoji_name: 'custom', create_at: MS },
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
}

it('Mattermost: posts in any order, nested replies, reactions, direct messages and files', async () => {
  const { people, channels, messages, omitted } = await readAll(mattermostReader, mattermost)
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
    reactions: [{ emoji: '👍', personKeys: ['bob'] }],
  })
  expect(first?.files.map(({ name, size }) => [name, size])).toEqual([
    ['b.txt', 5],
    ['gone.txt', null],
  ])
  expect(omitted).toEqual({
    archivedChannel: ['crew/lab'],
    customEmoji: [':custom:'],
    damagedLine: ['import.jsonl: line 8'],
    missingFile: ['gone.txt'],
    systemMessage: ['crew/town: system_join_channel'],
    unknownPerson: ['eve'],
  })
})

it('Mattermost: a later version of the format is refused', async () => {
  const later = { 'import.jsonl': lines({ type: 'version', version: 2 }) }
  await expect(readAll(mattermostReader, later)).rejects.toMatchObject({ reason: 'newerVersion' })
})

const discordFile = (channel: object, messages: object[]) => ({
  guild: { id: '1', name: 'G' },
  channel,
  dateRange: {},
  messages,
})
const ada = { id: '10', name: 'ada', nickname: 'Ada L', isBot: false }
const bob = { id: '11', name: 'bob', isBot: true }
const wrote = (id: string, content: string, more = {}) => ({
  id,
  type: 'Default',
  timestamp: `2024-01-23T10:00:0${id.at(-1)}.123+02:00`,
  content,
  author: ada,
  ...more,
})
const discord: Contents = {
  'general.json': discordFile({ id: '100', type: 'GuildTextChat', name: 'general', topic: 'All' }, [
    wrote('201', 'hi <@11>, @Ada L! <#100> <:blob:5> <t:1706000000:f> `<@11>`', {
      mentions: [ada, bob],
      timestampEdited: '2024-01-23T10:00:05+02:00',
      attachments: [
        { id: '7', url: 'general.json_Files/a%20b.txt', fileName: 'a b.txt', fileSizeBytes: 9 },
        { id: '8', url: 'https://cdn/x', fileName: 'x' },
      ],
      reactions: [
        { emoji: { id: null, name: '❤️' }, users: [ada, bob] },
        { emoji: { id: '5', name: 'blob' }, users: [ada] },
      ],
    }),
    wrote('202', 'yes', {
      type: 'Reply',
      reference: { messageId: '201', channelId: '100', guildId: '1' },
      isPinned: true,
    }),
    wrote('203', '', { type: 'GuildMemberJoin' }),
    wrote('204', '', { type: 'Call', callEndedTimestamp: null }),
    wrote('205', '', { author: bob, embeds: [{ title: 'Build', url: 'https://ci.example', description: 'ok' }] }),
  ]),
  'thread.json': discordFile(
    { id: '201', type: 'GuildPublicThread', categoryId: '100', category: 'general', name: 'talk' },
    [wrote('301', 'in a thread')],
  ),
  'lost.json': discordFile(
    { id: '299', type: 'GuildPublicThread', categoryId: '100', category: 'general', name: 'lost' },
    [wrote('302', 'alone')],
  ),
  'general.json_Files/a b.txt': 'bytes',
}

it('Discord: mentions, replies as quotes, threads below their message, and files', async () => {
  const { channels, messages, omitted } = await readAll(discordReader, discord)
  expect(channels.map(({ key, name, visibility, memberKeys }) => [key, name, visibility, memberKeys])).toEqual([
    ['100', 'general', 'private', ['10', '11']],
    ['299', 'general lost', 'private', ['10']],
  ])
  expect(
    messages.map(({ key, channelKey, parentKey, content }) => [key, channelKey, parentKey, shownContent(content)]),
  ).toEqual([
    ['100:201', '100', null, 'hi {@11}, {@10}! {#100} :blob: 2024-01-23 08:53 UTC `<@11>`'],
    ['100:202', '100', null, expect.stringMatching(/^> Ada L: hi .*\{message 100:201\}\n\nyes$/)],
    ['100:205', '100', null, '[Build](https://ci.example)\nok'],
    ['201:301', '100', '100:201', 'in a thread'],
    ['299:302', '299', null, 'alone'],
  ])
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:00:01.123Z',
    reactions: [{ emoji: '❤️', personKeys: ['10', '11'] }],
  })
  expect(messages[0]?.files.map(({ name, open }) => [name, open !== null])).toEqual([
    ['a b.txt', true],
    ['x', false],
  ])
  expect(Object.keys(omitted).sort()).toEqual(['calls', 'customEmoji', 'externalFile', 'pins', 'systemMessage'])
})
