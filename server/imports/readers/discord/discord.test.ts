import { expect, it } from 'vitest'
import { type Contents, readAll, readBytes, shownContent } from '../../../test/support/import-archive.ts'
import { discordReader } from './discord.ts'

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
    reactions: [
      { emoji: '❤️', personKeys: ['10', '11'] },
      { emoji: ':blob:', personKeys: ['10'] },
    ],
  })
  expect(messages[0]?.files.map(({ name, open }) => [name, open !== null])).toEqual([
    ['a b.txt', true],
    ['x', false],
  ])
  expect(omitted['customEmoji']).toEqual([':blob:', ':blob:'])
  expect(Object.keys(omitted).sort()).toEqual(['calls', 'customEmoji', 'externalFile', 'systemMessage'])
})

it('pins say who pinned a message and when, if a notice does', async () => {
  const notice = (id: string, reference: unknown, more = {}) =>
    wrote(id, 'pinned', { type: 'ChannelPinnedMessage', author: bob, reference, ...more })
  const { messages, omitted } = await readAll(discordReader, {
    'general.json': discordFile({ id: '100', type: 'GuildTextChat', name: 'general' }, [
      wrote('201', 'a', { isPinned: true }),
      notice('202', { messageId: '201', channelId: '100' }),
      notice('203', { messageId: '201', channelId: null }, { timestamp: '2024-01-23T09:00:00Z' }),
      notice('204', { messageId: '201', channelId: '100' }, { timestamp: 'soon' }),
      wrote('205', 'b', { isPinned: true }),
      wrote('206', 'c', { isPinned: false }),
      notice('207', { messageId: '206', channelId: '100' }),
      notice('208', 7),
      wrote('209', 'd', { isPinned: 'yes' }),
    ]),
  })
  expect(messages.map(({ pin }) => pin)).toEqual([
    { at: '2024-01-23T09:00:00.000Z', personKey: '11' },
    { at: null, personKey: null },
    undefined,
    undefined,
  ])
  expect(omitted).toEqual({
    systemMessage: ['204', '207', '208'].map((id) => `general: ${id} ChannelPinnedMessage`),
  })
})

it('emoji come with the pictures that were downloaded, and reactions use them', async () => {
  const emoji = (id: string, name: unknown, imageUrl: unknown) => ({
    id,
    name,
    code: name,
    isAnimated: false,
    imageUrl,
  })
  const reacted = (it: unknown) => ({ emoji: it, count: 1, users: [ada] })
  const folder = 'general.json_Files'
  const id = '1299804867447230594'
  const contents: Contents = {
    'in/general.json': discordFile({ id: '100', type: 'GuildTextChat', name: 'general' }, [
      wrote('201', `<:Blob:${id}> <a:far:7> <:lost:8>`, {
        inlineEmojis: [
          emoji(id, 'Blob', `${folder}\\blob-1.png`),
          emoji('7', 'far', 'https://cdn.example/7.gif'),
          emoji('', '🙂', `${folder}/smile.svg`),
        ],
        reactions: [
          reacted(emoji(id, 'blobby', `${folder}/blob-1.png`)),
          reacted(emoji('7', 'far', 'https://cdn.example/7.gif')),
          reacted(emoji('5', 'up', '../../etc/passwd')),
          reacted(emoji('6', 'not a name', `${folder}/a%20b.png`)),
          reacted(emoji('', '🙂', `${folder}/smile.svg`)),
          reacted(null),
        ],
      }),
      wrote('202', ':blob:', {
        author: bob,
        embeds: [
          { inlineEmojis: [emoji('9', 'BLOB', `${folder}/other.png`), emoji('10', 'inside', `${folder}/in.gif`)] },
        ],
        inlineEmojis: [7, null, emoji('11', {}, `${folder}/in.gif`), emoji('12', 'gap', { url: 1 })],
      }),
      wrote('203', '<:blob:9>', { inlineEmojis: emoji('9', 'blob', `${folder}/other.png`) }),
    ]),
    [`in/${folder}/blob-1.png`]: 'picture',
    [`in/${folder}/a b.png`]: 'spaces',
    [`in/${folder}/smile.svg`]: 'svg',
    [`in/${folder}/other.png`]: 'other',
    [`in/${folder}/in.gif`]: 'moves',
  }
  const { emoji: found, messages, omitted } = await readAll(discordReader, contents)
  expect(found.map(({ key, aliases, createdAt, size }) => [key, aliases, createdAt, size])).toEqual([
    ['blob', ['blobby'], '2024-10-26T18:40:29.606Z', 7],
    ['not a name', [], null, 6],
    ['inside', [], null, 5],
  ])
  expect(await readBytes(discordReader, contents)).toEqual({
    ':blob:': 'picture',
    ':not a name:': 'spaces',
    ':inside:': 'moves',
  })
  expect(messages.map(({ content }) => shownContent(content))).toEqual([':Blob: :far: :lost:', ':blob:', ':blob:'])
  expect(messages[0]?.reactions.map((it) => it.emoji)).toEqual([':blobby:', ':far:', ':up:', '🙂'])
  expect(omitted['takenEmoji']).toEqual([':blob:'])
  expect(omitted['customEmoji']).toEqual([':far:', ':lost:', ':far:', ':up:', ':not a name:', '::'])
})

it('a forwarded message is a quote, with its files', async () => {
  const forward = (id: string, forwardedMessage: unknown, more = {}) =>
    wrote(id, '', { reference: { type: 'Forward', messageId: '900', channelId: '100' }, forwardedMessage, ...more })
  const file = { id: '7', url: 'general.json_Files/a.txt', fileName: 'a.txt', fileSizeBytes: 5 }
  const { messages, omitted } = await readAll(discordReader, {
    'general.json': discordFile({ id: '100', type: 'GuildTextChat', name: 'general' }, [
      wrote('201', 'one', { attachments: [file] }),
      forward(
        '202',
        {
          timestamp: '2024-01-20T10:00:00Z',
          content: 'first\n<@11> `code`',
          attachments: [file],
          embeds: [{ title: 'A preview' }],
          stickers: [],
        },
        { mentions: [bob] },
      ),
      forward('203', { content: '', embeds: [{ title: 'Build', description: 'ok' }] }),
      forward('204', { content: '', attachments: [file] }),
      wrote('205', 'look', { forwardedMessage: { content: 'that' } }),
      forward('206', {}),
      forward('207', [7]),
      wrote('208', 'yes', { type: 'Reply', reference: { messageId: '202' } }),
    ]),
    'general.json_Files/a.txt': 'bytes',
  })
  expect(messages.map(({ content, files }) => [shownContent(content), files.map(({ size }) => size)])).toEqual([
    ['one', [5]],
    ['> first\n> {@11} `code`', [5]],
    ['> **Build**\n> ok', []],
    ['', [5]],
    ['> that\n\nlook', []],
    [expect.stringMatching(/^> Ada L: first <@11> .{8} \{message 100:202\}\n\nyes$/), []],
  ])
  const keys = messages.flatMap(({ files }) => files.map(({ key }) => key))
  expect(new Set(keys).size).toBe(3)
  expect(omitted).toEqual({ unknownMessage: ['general: 206', 'general: 207'] })
})
