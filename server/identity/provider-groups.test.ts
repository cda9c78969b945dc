import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { serve, startParley, untilPeers } from '../test/support/parley.ts'
import { groupsIn } from './provider-groups.ts'

// Groups at the provider determine roles, if the settings map them.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']
let owner: Awaited<ReturnType<typeof parley.person>>

beforeAll(async () => {
  provider = await startProvider()
  const roles = 'admin=cn=chat admins,ou=groups,dc=example; member=staff'
  parley = await startParley({ ...provider.settings, OIDC_ROLES: roles })
  owner = await parley.person('olga')
  ;({ signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

const ADMINS = 'cn=chat admins,ou=groups,dc=example'
const person = (name: string, groups?: unknown) => {
  provider.people[name] = { email: `${name}@example.com`, email_verified: true, preferred_username: name, groups }
}
const changes = () =>
  parley.app.db
    .selectFrom('audit_log')
    .select(['actorId', 'personId', 'details'])
    .where('kind', '=', 'role_changed')
    .where('personId', '<>', owner.id)
    .orderBy('id')
    .execute()

test('a group at the provider grants and revokes its role at the next sign-in, on every node', async () => {
  const other = await serve(parley.databaseUrl, { ...provider.settings })
  await untilPeers(parley, other)
  person('ada', ['staff'])
  const { me: ada } = await signIn('ada')
  expect(ada.role).toBe('member')
  person('ada', ['staff', ADMINS])
  const { me, surfer } = await signIn('ada')
  expect(me.role).toBe('admin')
  const { token } = (await (await surfer.ask(`${parley.address}/api/auth/token`)).json()) as { token: string }
  const audit = async ({ address }: { address: string }) =>
    (await fetch(`${address}/api/audit`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await audit(other)).toBe(200)
  // Her invites end with the role, as when the owner revokes it.
  await fetch(`${parley.address}/api/invites`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"days":1,"maxUses":1}',
  })
  person('ada', ['staff'])
  expect((await signIn('ada')).me.role).toBe('member')
  expect(await audit(other)).toBe(403)
  expect((await owner.get('/api/invites')).body).toEqual([])
  expect(await changes()).toEqual([
    { actorId: null, personId: ada.id, details: { from: 'member', to: 'admin' } },
    { actorId: null, personId: ada.id, details: { from: 'admin', to: 'member' } },
  ])
})

test('the last sign-in overrides the owner’s choice, and a person without groups is a member', async () => {
  person('bob')
  const { me: bob } = await signIn('bob')
  await owner.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  expect((await signIn('bob')).me.role).toBe('member')
})

test('a guest with the provider’s group for members becomes a member of the whole workspace', async () => {
  const { body: channel } = await owner.post('/api/channels', { name: 'for-guests' })
  const guests = { channelIds: [channel.id], days: 5 }
  const { body: invite } = await owner.post('/api/invites', { days: 1, maxUses: 1, guests })
  person('gil')
  expect((await signIn('gil', { invite: invite.code })).me.role).toBe('guest')
  person('gil', ['staff'])
  const { me } = await signIn('gil')
  expect(me.role).toBe('member')
  const { generalId } = await parley.app.db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  const { body: members } = await owner.get(`/api/channels/${generalId}/members`)
  expect(JSON.stringify(members)).toContain(me.id)
})

// Last, because it removes the owner’s password.
test('no group grants or revokes ownership', async () => {
  person(owner.username, ['staff'])
  provider.people[owner.username] = { ...provider.people[owner.username], email: owner.email }
  expect((await signIn(owner.username)).me).toMatchObject({ id: owner.id, role: 'owner' })
  person('eve', ['owner', 'admin', 'cn=chat admins', { [ADMINS]: true }, `${ADMINS} `])
  expect((await signIn('eve')).me.role).toBe('member')
})

test('without the setting, groups change nothing', async () => {
  const at = await startParley(provider.settings)
  await at.person('root')
  person('ida', [ADMINS])
  expect((await signIn('ida', { at })).me.role).toBe('member')
})

test.each([
  [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{}, 'groups', []],
  [{ groups: { a: 1 } }, 'groups', []],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ 'https://x.example/groups': ['a'] }, 'https://x.example/groups', ['a']],
  [{ _claim_names: { groups: 'src1' } }, 'groups', undefined],
  [{ hasgroups: true }, 'groups', undefined],
  [{}, '__proto__.constructor', []],
])('the groups of %j by %s are %j', (claims, claim, groups) => {
  expect(groupsIn(claims, claim)).toEqual(groups)
})
