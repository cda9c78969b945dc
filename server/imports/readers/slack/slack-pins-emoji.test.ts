import { expect, it } from 'vitest'
import { type Contents, readAll } from '../../../test/support/import-archive.ts'
import { slackReader } from './slack.ts'
import { slackText } from './slack-text.ts'

const general = { id: 'C1', name: 'general', created: 1_700_000_000, creator: 'U1', members: ['U1', 'U2'] }
const export_ = (messages: unknown[], more: Contents = {}): Contents => ({
  'users.json': [
    { id: 'U1', name: 'ada' },
    { id: 'U2', name: 'bob' },
  ],
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

it('pins are read from the list of channels and from messages, and what cannot be pinned is reported', async () => {
  const pins = [
    { id: at(1), type: 'C', created: 1_706_000_100, user: 'U2', owner: 'U1' },
    { id: at(2), type: 'C', created: 'when', user: 7 },
    { id: 'F1', type: 'F', created: 1_706_000_100, user: 'U2', owner: 'U1' },
    { id: at(99), type: 'C', created: 1_706_000_100, user: 'U2', owner: 'U1' },
    null,
  ]
  const { messages, omitted } = await readAll(slackReader, {
    ...export_([
      said('first', 1),
      said('second', 2),
      said({ text: 'third', pinned_to: ['C1'], pinned_info: { pinned_by: 'U8', pinned_ts: 1_706_000_200 } }, 3),
      said({ text: 'elsewhere', pinned_to: ['C2'] }, 4),
      said({ subtype: 'tombstone', reply_count: 1, pinned_to: ['C1'] }, 5),
    ]),
    'channels.json': [{ ...general, pins }],
  })
  expect(messages.map(({ pin }) => pin)).toEqual([
    { at: '2024-01-23T08:55:00.000000Z', personKey: 'U2' },
    { at: null, personKey: '7' },
    { at: '2024-01-23T08:56:40.000000Z', personKey: 'U8' },
    undefined,
    undefined,
  ])
  expect(omitted.pins).toEqual(['general: F1', 'general', `general: ${at(99)}`])
})

it('emoji are read with the names and authors of a list that a tool added', async () => {
  const reactions = [
    { name: 'parrot-party', users: ['U1'] },
    { name: 'pp', users: ['U2'] },
    { name: 'Lost', users: ['U2'] },
    { name: 'not a name', users: ['U2'] },
  ]
  const { emoji, messages, omitted } = await readAll(
    slackReader,
    export_([said({ text: 'a :pp:', reactions })], {
      'emojis/Parrot-Party.png': 'picture',
      'emojis/other.gif': 'moves',
      'emojis/notes.txt': 'x',
      'emojis/deep/er.png': 'x',
      'index.json': {
        'parrot-party': 'https://emoji.example/parrot.png',
        pp: 'alias:parrot-party',
        other: { name: 'other', user_id: 'U2', created: 1_670_466_722, aliases: ['another', 7] },
        lost: 'https://emoji.example/lost.png',
        __proto__: 'alias:other',
      },
    }),
  )
  expect(emoji.map(({ open: _, ...record }) => record)).toEqual([
    { kind: 'emoji', key: 'parrot-party', aliases: ['pp'], authorKey: null, createdAt: null, size: 7 },
    {
      ...{ kind: 'emoji', key: 'other', aliases: ['another', '7'], authorKey: 'U2', size: 5 },
      createdAt: '2022-12-08T02:32:02.000000Z',
    },
  ])
  expect(messages[0]?.reactions.map((it) => it.emoji)).toEqual([':parrot-party:', ':pp:', ':lost:'])
  expect(omitted.customEmoji).toEqual([':Lost:', ':not a name:'])
})

it('a damaged list of emoji leaves their pictures', async () => {
  const { emoji } = await readAll(slackReader, export_([], { 'emoji/a1.png': 'x', 'emoji.json': '{"a1": "alias' }))
  expect(emoji.map(({ key }) => key)).toEqual(['a1'])
})

it('the names of emoji contain no marks', () => {
  const text = slackText(':_x_: _:a_b:_ *:_x:* 10:_30_').map((part) => 'text' in part && part.text)
  expect(text.join('')).toBe(':\\_x\\_: *:a_b:* **:\\_x:** 10:*30*')
})
