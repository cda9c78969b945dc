import { expect, test } from 'vitest'
import { channelOf, channelsOf, importsOf, messagesOf, upload, zipOf } from '../test/support/imported-workspace.ts'
import { startParley } from '../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, eve } = await parley.people('olga', 'ada', 'eve')
const { db } = parley.app
const { until } = importsOf(parley, olga)
await db.updateTable('users').set({ emailVerified: true }).where('id', 'in', [ada.id, eve.id]).execute()

async function contentsOf(files: Record<string, unknown>, name: string) {
  const bytes = await zipOf(
    Object.fromEntries(
      Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  )
  expect((await upload(parley.app, olga, bytes)).status).toBe(201)
  const { id: importId } = await until('ready')
  await olga.post(`/api/imports/${importId}/start`)
  await until('done')
  await olga.post(`/api/imports/${importId}/accept`)
  const messages = await messagesOf(ada, (await channelOf(ada, name))?.id)
  return messages.map(({ content }: { content: string }) => content)
}

test('the name of a private channel does not replace its id in public ones', async () => {
  const said = (ts: number, text: string) => ({ type: 'message', user: 'U1', ts: `${1_706_000_000 + ts}.000100`, text })
  const slack = {
    'users.json': [
      { id: 'U1', name: 'ada', profile: { email: ada.email } },
      { id: 'U2', name: 'eve', profile: { email: eve.email } },
    ],
    'channels.json': [
      { id: 'C1', name: 'open', created: 1_700_000_000, creator: 'U1', members: ['U1', 'U2'] },
      { id: 'C2', name: 'news', created: 1_700_000_000, creator: 'U1', members: ['U1'] },
    ],
    'groups.json': [{ id: 'G1', name: 'takeover', created: 1_700_000_000, creator: 'U1', members: ['U1'] }],
    'open/2024-01-23.json': [
      said(1, 'not here but in <#G1> and <#C2>'),
      // Links to later messages are resolved at the end, and must not reveal it either.
      said(2, 'see <#G1> <https://acme.slack.com/archives/C1/p1706000003000100>'),
      said(3, 'end'),
      said(5, 'and <https://acme.slack.com/archives/C1/p1706000003000100|the *end*>'),
    ],
    'takeover/2024-01-23.json': [said(4, 'this is <#G1>, not <#C2>')],
  }
  const contents = await contentsOf(slack, 'open')
  expect(contents).toEqual([
    'not here but in #… and #news',
    expect.stringMatching(/^see #… \[/),
    'end',
    expect.anything(),
  ])
  // The label stays, without the old address.
  expect(contents[3]).toMatch(/^and \[the \\\*end\\\*\]\(\/channels\/[\w-]+\?message=[\w-]+\)$/)
  expect(JSON.stringify(await channelsOf(eve))).not.toContain('takeover')
  const inside = await messagesOf(ada, (await channelOf(ada, 'takeover'))?.id)
  expect(inside[0].content).toBe('this is #takeover, not #news')
})

test('text that people typed themselves is unchanged', async () => {
  const post = (channel: string, message: string, at: number) => ({
    type: 'post',
    post: { team: 'crew', channel, user: 'ada', message, create_at: 1_706_000_000_000 + at },
  })
  const of = (name: string, type: string) => ({
    type: 'channel',
    channel: { team: 'crew', name, display_name: name === 'vault' ? 'The vault' : name, type },
  })
  const member = { team: 'crew', name: 'crew', channels: [{ name: 'square' }, { name: 'vault' }] }
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'crew' } },
    of('square', 'O'),
    of('vault', 'P'),
    { type: 'user', user: { username: 'ada', email: ada.email, teams: [member] } },
    post('square', 'ask in ~vault, not in ~square', 1),
  ]
  const jsonl = lines.map((line) => JSON.stringify(line)).join('\n')
  expect(await contentsOf({ 'import.jsonl': jsonl }, 'square')).toEqual(['ask in #vault, not in #square'])
})
