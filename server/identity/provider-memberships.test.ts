import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Group } from '#contract/groups'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { openDirectory } from '../test/support/scim-directory.ts'

// Groups at the provider determine memberships of groups here, if the settings map them.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']
let olga: Person

beforeAll(async () => {
  provider = await startProvider()
  const groups = 'design=cn=designers,dc=example; design=cn=artists,dc=example; ops=it; missing=it; provided=it'
  parley = await startParley({ ...provider.settings, OIDC_GROUPS: groups })
  olga = await parley.person('olga')
  ;({ signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

const person = (name: string, groups?: unknown) => {
  provider.people[name] = { email: `${name}@example.com`, email_verified: true, preferred_username: name, groups }
}
const make = async (username: string) =>
  (await olga.post('/api/groups', { username, name: username })).body.id as string
const groupsOf = async (userId: string) =>
  (
    await parley.app.db
      .selectFrom('group_people')
      .innerJoin('groups', 'groups.id', 'groupId')
      .select('username')
      .where('userId', '=', userId)
      .orderBy('username')
      .execute()
  ).map(({ username }) => username)

test('each sign-in joins and leaves mapped groups, and no others', async () => {
  await make('design')
  const ops = await make('ops')
  const others = await make('others')
  person('ada', ['cn=designers,dc=example', 'unknown'])
  const { me: ada } = await signIn('ada')
  expect(await groupsOf(ada.id)).toEqual(['design'])
  await olga.patch(`/api/groups/${others}`, { userIds: [ada.id] })
  await olga.patch(`/api/groups/${ops}`, { userIds: [olga.id] })
  const hears = await olga.listen()
  person('ada', ['cn=artists,dc=example', 'it'])
  await signIn('ada')
  await hears.waitFor('groups:changed')
  expect(await groupsOf(ada.id)).toEqual(['design', 'ops', 'others'])
  person('ada')
  await signIn('ada')
  expect([await groupsOf(ada.id), await groupsOf(olga.id)]).toEqual([['others'], ['ops']])
  const { entries } = (await olga.get(`/api/audit?kind=group_changed&person=${ada.id}`)).body
  expect(entries.map(({ details }: { details: object }) => details)).toEqual([
    { group: 'ops', joins: false },
    { group: 'design', joins: false },
    { group: 'ops', joins: true },
    { group: 'design', joins: true },
  ])
  hears.socket.close()
})

test('a directory’s group is left unchanged, and a guest is in no group', async () => {
  const { scim } = await openDirectory(parley, olga)
  const { id } = (await scim('POST', '/Groups', { displayName: 'provided' })).body
  person('cyd', ['it'])
  const { me: cyd } = await signIn('cyd')
  expect(await groupsOf(cyd.id)).toEqual(['ops'])
  const { body: groups } = await olga.get('/api/groups')
  expect((groups as Group[]).find((group) => group.id === id)).toMatchObject({ username: 'provided', peopleCount: 0 })
  const { body: channel } = await olga.post('/api/channels', { name: 'for-guests' })
  const guests = { channelIds: [channel.id], days: 5 }
  const { body: invite } = await olga.post('/api/invites', { days: 1, maxUses: 1, guests })
  person('gil', ['it'])
  const { me: gil } = await signIn('gil', { invite: invite.code })
  expect([gil.role, await groupsOf(gil.id)]).toEqual(['guest', []])
})
