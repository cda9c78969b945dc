import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent } from '../../../test/support/import-archive.ts'
import { withWorkspaceKeys } from '../../workspace-keys.ts'
import { zulipReader } from './zulip.ts'

const LONG = 'x'.repeat(90)

/** A public, a private and an archived channel, with topics. */
const contents = (...messages: object[]): Contents => ({
  'realm.json': {
    zerver_realm: [{ id: 1, uuid: 'acme' }],
    zerver_userprofile: [1, 2, 3].map((id) => ({ id, full_name: ['Ada', 'Bob', 'Mia'][id - 1] })),
    zerver_stream: [
      { id: 5, name: 'general', description: 'All', invite_only: false, creator: 1 },
      { id: 6, name: 'board', description: 'Few', invite_only: true, creator: 1 },
      { id: 7, name: 'old', invite_only: false, deactivated: true },
    ],
    zerver_recipient: [
      { id: 50, type: 2, type_id: 5 },
      { id: 60, type: 2, type_id: 6 },
      { id: 70, type: 2, type_id: 7 },
      { id: 80, type: 1, type_id: 2 },
    ],
    zerver_subscription: [
      ...[1, 2, 3].map((user) => ({ recipient: 50, user_profile: user, active: true })),
      ...[1, 3].map((user) => ({ recipient: 60, user_profile: user, active: true })),
    ],
  },
  'messages-000001.json': {
    zerver_message: messages.map((it, index) => ({
      ...{ id: 100 + index, sender: 1, recipient: 50, subject: '', content: `text ${index}` },
      ...{ date_sent: 1_706_000_000 + index },
      ...it,
    })),
  },
})

const asChannels = (archive: Contents) => readAll(zulipReader, archive, { topics: 'channels' })

it('each topic becomes a channel, named after both, of those who wrote in it or may read it', async () => {
  const { channels, messages, omitted } = await asChannels(
    contents(
      { subject: 'Lunch', sender: 2 },
      { subject: ' lunch ', sender: 1 },
      { subject: 'lunch', sender: 2 },
      { subject: 'Rent', recipient: 60, sender: 3 },
      { subject: '' },
      { subject: '(no topic)' },
      { subject: LONG },
      { subject: 'Lunch', recipient: 70 },
      { subject: 'a topic of nothing', recipient: 80 },
    ),
  )
  expect(channels.map(({ name, visibility, memberKeys, topicOf }) => [name, visibility, memberKeys, topicOf])).toEqual([
    ['general', 'public', ['1', '2', '3'], undefined],
    ['board', 'private', ['1', '3'], undefined],
    ['old', 'public', [], undefined],
    ['general: Lunch', 'public', ['2', '1'], 'stream 5'],
    ['board: Rent', 'private', ['1', '3'], 'stream 6'],
    [`general: ${LONG}`, 'public', ['1'], 'stream 5'],
    ['old: Lunch', 'public', ['1'], 'stream 7'],
    ['', 'direct', ['1', '2'], undefined],
  ])
  expect(channels.map(({ topics }) => topics)).toEqual([2, 1, 1, ...Array(5).fill(undefined)])
  const [, , , lunch, rent, long, old] = channels
  expect(lunch).toMatchObject({ topic: 'All', ownerKey: '2', createdAt: messages[0]?.createdAt })
  expect(rent).toMatchObject({ topic: 'Few', ownerKey: '3' })
  // A name that will be cut is whole in the channel's topic.
  expect(long?.topic).toBe(LONG)
  expect(lunch?.archived).toBeUndefined()
  expect(old?.archived).toBe(true)
  expect(messages.map(({ channelKey, parentKey, content }) => [channelKey, parentKey, shownContent(content)])).toEqual([
    ...[0, 1, 2].map((n) => [lunch?.key, null, `text ${n}`]),
    [rent?.key, null, 'text 3'],
    ['stream 5', null, 'text 4'],
    ['stream 5', null, 'text 5'],
    [long?.key, null, 'text 6'],
    [old?.key, null, 'text 7'],
    ['direct 1,2', null, 'text 8'],
  ])
  expect(omitted).toEqual({})
})

const linking = contents(
  { subject: 'Lunch' },
  { content: 'see #**general>lunch**, #**general>Dinner** and #**board>lunch**' },
  { content: 'see #**general>lunch@100**' },
)

it('references to topics lead to what became of them', async () => {
  const channels = await asChannels(linking)
  const [, first, second] = channels.messages
  expect(shownContent(first?.content ?? [])).toBe('see {#stream 5 topic lunch}, #general>Dinner and #board>lunch')
  expect(shownContent(second?.content ?? [])).toBe('see {message 100}')
  const threads = await readAll(zulipReader, linking)
  expect(threads.messages[1]?.content).toEqual([
    { text: 'see ' },
    { message: '100', text: '#general>lunch', label: '#general > lunch' },
    { text: ', #general>Dinner and #board>lunch' },
  ])
  expect(threads.channels.map(({ topics }) => topics)).toEqual([1, undefined, undefined])
})

it('a repeated message makes no topic, and the first message by time owns it', async () => {
  const { channels } = await asChannels(
    contents(
      { subject: 'Lunch', sender: 1, date_sent: 1_706_000_100 },
      { subject: 'Lunch', sender: 2, date_sent: 1_706_000_000 },
      { id: 100, subject: 'Ghost' },
    ),
  )
  expect(channels.map(({ name }) => name)).toEqual(['general', 'board', 'old', 'general: Lunch'])
  expect(channels[0]?.topics).toBe(1)
  expect(channels[3]).toMatchObject({ ownerKey: '2', createdAt: '2024-01-23T08:53:20.000000Z' })
})

it('where nobody wrote who could own the channel, the owner of its channel comes along', async () => {
  const archive = contents(
    { subject: 'Builds', sender: 4 },
    { subject: 'Lunch', sender: 4 },
    { subject: 'Lunch', sender: 2 },
  )
  const realm = archive['realm.json'] as { zerver_userprofile: object[] }
  realm.zerver_userprofile.push({ id: 4, full_name: 'Robot', is_bot: true })
  const { channels } = await asChannels(archive)
  expect(channels.slice(3).map(({ name, memberKeys }) => [name, memberKeys])).toEqual([
    ['general: Builds', ['4', '1']],
    ['general: Lunch', ['4', '2']],
  ])
})

it('keys of topics are those of their workspace, and stay short', async () => {
  const { channels } = await readAll(
    withWorkspaceKeys(zulipReader),
    contents({ subject: 'Lunch' }, { subject: 'y'.repeat(500) }),
    { topics: 'channels' },
  )
  expect(channels[3]).toMatchObject({ key: 'acme\nstream 5 topic lunch', topicOf: 'acme\nstream 5' })
  expect(channels[4]?.key).toMatch(/^[0-9a-f]{64}$/)
})
