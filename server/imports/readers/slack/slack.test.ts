import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent, textsBy } from '../../../test/support/import-archive.ts'
import { slackReader } from './slack.ts'
import { slackText } from './slack-text.ts'

const users = [
  { id: 'U1', name: 'ada', profile: { display_name: 'Ada', real_name: 'Ada Lovelace', email: 'ada@example.com' } },
  { id: 'U2', name: 'bob', real_name: 'Bob', deleted: true, profile: { display_name: '' }, unknown: [1] },
  { id: 'B9', name: 'helper', is_bot: true },
]
const general = {
  id: 'C1',
  name: 'general',
  created: 1_700_000_000,
  creator: 'U1',
  members: ['U1', 'U2'],
  topic: { value: 'All' },
}
const export_ = (messages: unknown[], more: Contents = {}) => ({
  'users.json': users,
  'channels.json': [general],
  'general/2024-01-23.json': messages,
  ...more,
})
const at = (second: number) => `${1_706_000_000 + second}.000100`
const said = (content: string | object, second = 1) => ({
  type: 'message',
  user: 'U1',
  ts: at(second),
  ...(typeof content === 'string' ? { text: content } : content),
})
const shown = async (content: string | object) => {
  const { messages } = await readAll(slackReader, export_([said(content)]))
  return shownContent(messages.flatMap((message) => message.content))
}

it('people, channels of each kind and their members are read', async () => {
  const { isRecognized, people, channels, omitted } = await readAll(
    slackReader,
    export_([], {
      'groups.json': [{ id: 'G1', name: 'secret', created: 0, creator: 'U7', members: ['U1'], is_archived: true }],
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'mpims.json': [{ id: 'G2', name: 'mpdm-ada--bob-1', members: ['U1', 'U2', 'B9'] }],
      'D1/2024-01-23.json': [said('psst')],
      'integration_logs.json': [],
    }),
  )
  expect(isRecognized).toBe(true)
  expect(people).toMatchObject([
    { key: 'U1', username: 'ada', name: 'Ada', email: 'ada@example.com', isDeactivated: false },
    { key: 'U2', name: 'Bob', email: null, isDeactivated: true },
    { key: 'B9', isBot: true },
    { key: 'U7', isDeactivated: true },
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys.length])).toEqual([
    ['C1', 'public', 2],
    ['G1', 'private', 1],
    ['G2', 'direct', 3],
    ['D1', 'direct', 2],
  ])
  expect(channels[0]).toMatchObject({ topic: 'All', createdAt: '2023-11-14T22:13:20.000000Z' })
  expect(channels.map(({ archived }) => archived)).toEqual([undefined, true, undefined, undefined])
  expect(omitted).toEqual({ unknownPerson: ['U7'] })
})

it.each([
  ['*bold* _it_ ~no~ `*code*`', '**bold** *it* ~~no~~ `*code*`'],
  ['*bold and _both_*', '**bold and** ***both***'],
  ['hi <@U2|bob> in <#C1|general> <!here> <!channel> <!everyone>', 'hi {@U2} in {#C1} {@here} {@channel} {@channel}'],
  ['<!subteam^S1|@devs> <!date^1700000000^{date}|Nov 14>', '@devs Nov 14'],
  [
    '<https://x.example/a_b|the *text*> <https://x.example>',
    '[the \\*text\\*](https://x.example/a_b) https://x.example',
  ],
  ['a &lt;b&gt; &amp;amp; c', 'a \\<b> \\&amp; c'],
  ['```\nif (a &lt; b) {}\n```', '```\nif (a < b) {}\n```\n'],
  ['&gt; quoted\nafter', '> quoted\nafter'],
  ['# not a title\n1. no list\n- no list', '\\# not a title\n1\\. no list\n\\- no list'],
  ['snake_case_name 2*3*4', 'snake_case_name 2\\*3\\*4'],
  [':thumbsup::skin-tone-4: :partyparrot: 10:30:20', '👍🏽 :partyparrot: 10:30:20'],
  ['see <https://team.slack.com/archives/C1/p1706000000000100>', 'see {message C1:1706000000.000100}'],
  ['nul\0 and \ud83d alone', 'nul and \ufffd alone'],
])('the markup of %j', async (text, markdown) => expect(await shown(text)).toBe(markdown))

it('a link to a message keeps its label, even if that message is not imported', () => {
  const url = 'https://team.slack.com/archives/C1/p1706000000000100'
  expect(slackText(`<${url}|the plan>`)).toEqual([
    { message: 'C1:1706000000.000100', text: `[the plan](${url})`, label: 'the plan' },
  ])
})

it('blocks: rich text with lists, quotes, code, links and mentions', async () => {
  const words = (text: string, style = {}) => ({ type: 'text', text, style })
  const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
  const elements = [
    section(words('A '), words('bold ', { bold: true }), words('x*y', { code: true }), { type: 'user', user_id: 'U2' }),
    { type: 'rich_text_list', style: 'ordered', elements: [section(words('one')), section(words('two'))] },
    { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(words('in'))] },
    section(words('after'), { type: 'emoji', name: '+1', skin_tone: 2 }),
    { type: 'rich_text_quote', elements: [words('said\nso')] },
    { type: 'rich_text_preformatted', elements: [words('a ``` b')] },
    section({ type: 'link', url: 'https://x.example', text: 'here' }, { type: 'broadcast', range: 'here' }),
  ]
  expect(await shown({ text: 'not this', blocks: [{ type: 'rich_text', elements }] })).toBe(
    'A **bold** `x*y`{@U2}\n1. one\n2. two\n    - in\n\nafter👍🏻\n> said\n> so\n\n````\na ``` b\n````\n[here](https://x.example){@here}',
  )
})

it('a bot keeps its name, blocks and attachments', async () => {
  const { messages, people } = await readAll(
    slackReader,
    export_([
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'CI',
        ts: at(1),
        text: '',
        attachments: [{ title: 'Build', title_link: 'https://ci.example', text: '*failed*', fallback: 'no' }],
      },
      said({ bot_id: 'B1', user: 'B9', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Big' } }] }, 2),
    ]),
  )
  expect(people.find(({ name }) => name === 'CI')).toMatchObject({ isBot: true })
  expect(messages.map(({ content }) => shownContent(content))).toEqual([
    '[Build](https://ci.example)\n\n**failed**',
    '**Big**',
  ])
})

it('threads stay intact across days, without their parent, and below a deleted one', async () => {
  const reply = (second: number, parent: number, more = {}) =>
    said({ text: `reply ${second}`, thread_ts: at(parent), ...more }, second)
  const { messages } = await readAll(
    slackReader,
    export_(
      [
        said({ text: 'parent', thread_ts: at(1), reply_count: 1 }, 1),
        said({ subtype: 'tombstone', text: 'This message was deleted.', thread_ts: at(2), reply_count: 1 }, 2),
        reply(3, 2),
        said({ subtype: 'tombstone', user: 'USLACKBOT' }, 4),
      ],
      {
        'general/2024-01-24.json': [
          reply(90_002, 1, { subtype: 'thread_broadcast' }),
          reply(90_003, -50),
          reply(90_004, -50),
          said('in the wrong file', 5),
          reply(3, 2),
        ],
      },
    ),
  )
  const key = (second: number) => `C1:${at(second)}`
  expect(messages.map((message) => [message.key, message.parentKey, message.deletedAt !== null])).toEqual([
    [key(1), null, false],
    [key(2), null, true],
    [key(3), key(2), false],
    [key(5), null, false],
    [key(90_002), key(1), false],
    [key(90_003), null, false],
    [key(90_004), key(90_003), false],
  ])
})

it('edits, reactions, and people who are in no list', async () => {
  const { messages, people, omitted } = await readAll(
    slackReader,
    export_([
      said({
        text: 'hello <@U77>',
        edited: { user: 'U1', ts: at(5) },
        reactions: [
          { name: 'thumbsup', users: ['U2', 'U88'], count: 2 },
          { name: '+1', users: ['U2', 'U1'] },
          { name: 'partyparrot', users: ['U1'] },
        ],
      }),
      said({ text: 'from afar', user: 'W5', user_profile: { real_name: 'Guest' } }, 2),
    ]),
  )
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:53:21.000100Z',
    editedAt: '2024-01-23T08:53:25.000100Z',
    reactions: [
      { emoji: '👍', personKeys: ['U2', 'U88', 'U1'] },
      { emoji: ':partyparrot:', personKeys: ['U1'] },
    ],
  })
  expect(people.slice(3).map(({ key, name }) => [key, name])).toEqual([
    ['U77', 'U77'],
    ['U88', 'U88'],
    ['W5', 'Guest'],
  ])
  expect(omitted).toEqual({ customEmoji: [':partyparrot:'], unknownPerson: ['U77', 'U88', 'Guest (W5)'] })
})

it('files in the archive are read, links to others are kept, and missing ones are reported', async () => {
  const { messages, omitted } = await readAll(
    slackReader,
    export_(
      [
        said({ text: '', files: [{ id: 'F1', name: 'a.txt', size: 99, created: 1_706_000_000 }] }, 1),
        said({ text: '', files: [{ id: 'F2', name: 'b.txt', size: 5, url_private_download: 'https://x' }] }, 2),
        said({ text: '', files: [{ id: 'F3', mode: 'tombstone' }] }, 3),
        said({ text: '', files: [{ id: 'F4', name: 'd.txt', mode: 'hosted' }] }, 4),
        said({ text: '', files: [{ id: 'F5', name: 'e.doc', mode: 'external', url_private: 'https://x' }] }, 5),
      ],
      { '__uploads/F1/a.txt': 'bytes' },
    ),
  )
  const shown = messages.flatMap(({ files }) =>
    files.map(({ name, size, open, link }) => [name, size, open !== null, link?.url]),
  )
  expect(shown).toEqual([
    ['a.txt', 5, true, undefined],
    ['b.txt', 5, false, 'https://x'],
    ['d.txt', null, false, undefined],
    ['e.doc', null, false, undefined],
  ])
  expect(omitted).toEqual({ missingFile: ['F3', 'd.txt'], externalFile: ['e.doc'] })
})

it('Slack’s own messages are omitted, and damaged days do not end the import', async () => {
  const { messages, omitted } = await readAll(
    slackReader,
    export_(
      [
        said({ subtype: 'channel_join', text: '<@U1> has joined' }, 1),
        said({ subtype: 'huddle_thread' }, 2),
        said({ text: '' }, 3),
        { type: 'message', user: 'U1', text: 'when?' },
        null,
        said({ subtype: 'me_message', text: 'waves' }, 4),
      ],
      {
        'general/2024-01-24.json': '[{"ts":"1706100000.1","user":"U1","text":"ok"},{"ts',
        'old/2024-01-01.json': [said('x')],
      },
    ),
  )
  expect(Object.values(textsBy(messages))).toEqual(['*waves*', 'ok', 'x'])
  expect(omitted).toMatchObject({
    calls: [`general: ${at(2)}`],
    damagedLine: ['general/2024-01-24.json'],
    unknownFile: ['old/'],
  })
  expect(omitted.systemMessage).toHaveLength(1)
  expect(omitted.unknownMessage).toHaveLength(3)
})

it('hostile values neither cause errors nor take long', async () => {
  const marks = Array.from({ length: 200_000 }, () => '*a _b ~c `d').join(' ')
  const element = { type: 'rich_text_list', indent: -5, elements: [{ elements: [{ type: 'date', timestamp: 9e99 }] }] }
  const { messages } = await readAll(
    slackReader,
    export_([
      said({ text: '<!date^99999999999999|>', reactions: [{ name: '__proto__', users: ['U1'] }, { name: '+1' }] }, 1),
      said({ blocks: [{ type: 'rich_text', elements: [element, 7, null] }], attachments: 'x', files: {} }, 2),
      said({ text: marks }, 3),
    ]),
  )
  expect(messages[0]).toMatchObject({ reactions: [] })
  expect(messages.length).toBeGreaterThan(200)
})

it('a text beyond the limit continues in further messages', async () => {
  const long = Array.from({ length: 4000 }, (_, index) => `word${index}`).join(' ')
  const { messages, omitted } = await readAll(slackReader, export_([said(long)]))
  expect(messages.length).toBeGreaterThan(3)
  expect(messages.map(({ content }) => shownContent(content)).join('')).toBe(long)
  expect(omitted.tooLongMessage).toHaveLength(1)
})

it('an archive that was packed again inside a folder is read with its files', async () => {
  const inFolder = Object.fromEntries(
    Object.entries(export_([said('hello')])).map(([name, value]) => [`My export/${name}`, value]),
  )
  const { isRecognized, messages } = await readAll(slackReader, { ...inFolder, '__MACOSX/users.json': 'x' })
  expect([isRecognized, messages.length]).toEqual([true, 1])
})
