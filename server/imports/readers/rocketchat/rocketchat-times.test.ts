import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent } from '../../../test/support/import-archive.ts'
import { rocketchatReader } from './rocketchat.ts'

const lines = (...values: unknown[]) => values.map((it) => JSON.stringify(it)).join('\n')
const MS = 1_706_000_000_000
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

it('an archived room is archived since the last notice of it', async () => {
  const { channels, omitted } = await readAll(
    rocketchatReader,
    workspace(
      [
        { t: 'room-archived', rid: 'r2', ts: at('10:00:00') },
        { t: 'room-archived', rid: 'r2', ts: at('09:00:00') },
        { t: 'room-archived', rid: 'r1', ts: at('09:00:00') },
        { t: 'room-archived', rid: 'r2', ts: 'soon' },
      ],
      {
        'rocketchat_room.json': lines(
          { _id: 'r1', t: 'c', name: 'open', archived: false },
          { _id: 'r2', t: 'c', name: 'old', archived: true },
          { _id: 'r3', t: 'p', name: 'older', archived: true },
        ),
      },
    ),
  )
  expect(channels.map(({ key, archived }) => [key, archived])).toEqual([
    ['r1', undefined],
    ['r2', '2024-01-23T10:00:00.000Z'],
    ['r3', true],
  ])
  expect(Object.keys(omitted)).toEqual(['systemMessage'])
})

it('hidden copies of a message are its texts before edits, with the times when they were written', async () => {
  const copy = (parent: unknown, msg: string, editedAt: unknown, more = {}) => ({
    ...{ _id: `${parent} ${msg} ${editedAt}`, _hidden: true, parent, msg, editedAt, ts: at('08:53:20') },
    ...more,
  })
  const { messages, omitted } = await readAll(
    rocketchatReader,
    workspace([
      copy('a', 'second :slight_smile:', at('09:20:00')),
      { _id: 'a', msg: 'third', editedAt: at('09:20:00') },
      copy('a', '*first* @bob', at('09:10:00')),
      // Pinned, then unpinned.
      copy('a', 'third', at('09:30:00')),
      copy('a', 'third', at('09:40:00')),
      { _id: 'b', msg: 'never edited', pinned: true },
      copy('b', 'never edited', at('09:10:00'), { attachments: [{ title: 'x', title_link: '/file-upload/x/x' }] }),
      copy('b', 'never edited', at('09:20:00'), { attachments: [{ title: 'x', title_link: '/file-upload/x/x' }] }),
      { _id: 'c', t: 'rm', msg: '' },
      copy('c', 'deleted', at('09:10:00')),
      copy('nobody', 'lost', at('09:10:00')),
      copy('a', 'at some time', 'soon'),
      { _id: 'd', msg: 'hidden', _hidden: true },
      { _id: 'e', msg: 'old version' },
      copy('e', 'older', at('09:10:00')),
    ]),
  )
  expect(
    messages.map(({ key, content, editedAt, earlier }) => [
      ...[key, shownContent(content), editedAt?.slice(11, 16)],
      earlier?.map((it) => [shownContent(it.content), it.writtenAt.slice(11, 16)]),
    ]),
  ).toEqual([
    ...[
      [
        'a',
        'third',
        '09:20',
        [
          ['**first** {@u2}', '08:53'],
          ['second 🙂', '09:10'],
        ],
      ],
    ],
    ['b', 'never edited', undefined, undefined],
    ['e', 'old version', '09:10', [['older', '08:53']]],
  ])
  expect(omitted).toEqual({ systemMessage: ['r1: c rm', 'r1: a at some time soon', 'r1: d'] })
})

it('a room without a time is as old as its first message', async () => {
  const { channels } = await readAll(
    rocketchatReader,
    workspace([{ rid: 'r2', ts: at('10:00:00') }, { rid: 'r2', ts: at('09:00:00') }, { ts: at('07:00:00') }], {
      'rocketchat_room.json': lines(
        { _id: 'r1', t: 'c', name: 'dated', ts: at('08:00:00') },
        { _id: 'r2', t: 'c', name: 'undated' },
        { _id: 'r3', t: 'c', name: 'empty', ts: 'soon' },
      ),
    }),
  )
  expect(channels.map(({ createdAt }) => createdAt)).toEqual([
    '2024-01-23T08:00:00.000Z',
    '2024-01-23T09:00:00.000Z',
    null,
  ])
})
