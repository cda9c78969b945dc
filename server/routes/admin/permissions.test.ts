import { expect, test } from 'vitest'
import { isDecidable, permissionsOf } from '#contract/permission-table'
import { type Permission, permissions } from '#contract/permissions'
import { type Role, roles } from '#contract/roles'
import { PICTURE } from '../../test/support/fixture.ts'
import { formOf, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
// Olga came first, so she owns the workspace.
const { olga, ada, bob, zed } = await parley.people('olga', 'ada', 'bob', 'zed')
await olga.put(`/api/users/${ada.id}/role`, { role: 'admin' })
const { body: room } = await olga.post('/api/channels', { name: 'room', members: [ada.id, bob.id] })
const { body: invite } = await olga.post('/api/invites', { guests: { channelIds: [room.id], days: 30 } })
const gil = await parley.person('gil', invite.code)
const people: Record<Role, Person> = { owner: olga, admin: ada, member: bob, guest: gil }
const set = (changes: Partial<Record<Permission, Role[]>>, by = olga) => by.patch('/api/workspace/permissions', changes)

let count = 0
/** For each permission a call that needs it, which returns true if it was allowed. */
const tries: Record<Exclude<Permission, 'createGroups'>, (person: Person) => Promise<boolean>> = {
  createPublicChannels: async (person) => succeeds(await person.post('/api/channels', { name: `open ${count++}` })),
  createPrivateChannels: async (person) =>
    succeeds(await person.post('/api/channels', { name: `closed ${count++}`, isPrivate: true })),
  inviteToWorkspace: async (person) => succeeds(await person.post('/api/invites', { days: 1, maxUses: 1 })),
  // Permitted calls may still fail: zed may be a member already, or unknown to the guest.
  inviteToChannels: async (person) =>
    (await person.post(`/api/channels/${room.id}/invite`, { userId: zed.id })).status !== 403,
  post: async (person) => succeeds(await person.post('/api/messages', { channelId: room.id, content: 'hello' })),
  mentionChannel: async (person) =>
    succeeds(await person.post('/api/messages', { channelId: room.id, content: '@channel hello' })),
  upload: async (person) => succeeds(await person.upload(room.id, 'notes.txt')),
  deleteMessages: async (person) => {
    const { id } = await zedSays()
    return succeeds(await person.delete(`/api/messages/${id}`))
  },
  addEmoji: async (person) =>
    succeeds(await person.post(`/api/emoji/merry-${count++}`, formOf({ file: new Blob([PICTURE]) }))),
  seeEmails: async (person) => (await person.get(`/api/users/${ada.id}`)).body.email !== undefined,
}

async function zedSays() {
  await olga.post(`/api/channels/${room.id}/invite`, { userId: zed.id })
  return zed.say(room.id, 'something')
}

function succeeds({ status }: { status: number }) {
  if (status < 300) return true
  expect(status).toBe(403)
  return false
}

// The address that the test reads is Ada's, who is the admin.
const isOwn = (permission: Permission, role: Role) => permission === 'seeEmails' && role === 'admin'

for (const permission of Object.keys(tries) as (keyof typeof tries)[])
  test(`${permission}: each role may do it exactly if the table says so`, async () => {
    const allowed = async () => {
      const found: Role[] = []
      for (const role of roles) if (await tries[permission](people[role])) found.push(role)
      return found
    }
    const expected = (given: readonly Role[] | undefined) =>
      roles.filter(
        (role) => isOwn(permission, role) || permissionsOf(role, given && { [permission]: given }).includes(permission),
      )
    expect(await allowed()).toEqual(expected(undefined))
    for (const given of [[], [...roles], ['guest' as const]]) {
      expect((await set({ [permission]: given })).body[permission]).toEqual(
        roles.filter((role) => permissionsOf(role, { [permission]: given }).includes(permission)),
      )
      expect(await allowed()).toEqual(expected(given))
    }
    await set({ [permission]: roles.filter((role) => permissionsOf(role).includes(permission)) })
  })

test('only the owner can change the table, but not their own permissions, and each change is logged', async () => {
  expect((await set({ post: [] }, ada)).status).toBe(403)
  expect((await bob.get('/api/workspace/permissions')).status).toBe(403)
  expect((await set({ upload: ['nobody' as Role] })).status).toBe(400)
  const { body } = await set({ upload: [] })
  expect(body.upload).toEqual(['owner'])
  await set({ upload: [...roles] })
  const { entries } = (await olga.get('/api/audit?kind=permissions_changed&limit=3')).body
  expect(entries.map(({ details }: { details: object }) => details)).toContainEqual({
    permission: 'upload',
    role: 'guest',
    isAllowed: true,
  })
})

test('fixed permissions stay unchanged, whatever is stored', async () => {
  for (const permission of permissions)
    for (const role of roles)
      if (!isDecidable(permission, role))
        expect(permissionsOf(role, { [permission]: role === 'owner' ? [] : [...roles] }).includes(permission)).toBe(
          role === 'owner',
        )
})

test('a change reaches open pages on every node, and invalidates cached answers', async () => {
  const node = await serve(parley.databaseUrl)
  await untilPeers(parley, node)
  const { io } = await import('socket.io-client')
  const there = io(node.address, { auth: { token: bob.token } })
  await new Promise<void>((resolve) => there.once('ready', () => resolve()))
  const here = await gil.listen()
  const told = new Promise<void>((resolve) => there.once('permissions:changed', () => resolve()))
  const directory = await ada.get('/api/users')
  await set({ seeEmails: ['owner'] })
  await told
  await here.waitFor('permissions:changed')
  there.close()
  // The cached copy contains addresses, so there is no 304.
  const again = await parley.app.inject({
    url: '/api/users',
    headers: { authorization: `Bearer ${ada.token}`, 'if-none-match': String(directory.headers['etag']) },
  })
  expect(again.statusCode).toBe(200)
  expect(again.body).not.toContain(zed.email)
  await set({ seeEmails: ['owner', 'admin'] })
})

test('pages are notified even of a change that was reverted before any node noticed: one may have seen it', async () => {
  const here = await bob.listen()
  const setColumn = (changed: object) => ({ permissions: JSON.stringify(changed) })
  const { permissions: before } = await parley.app.db
    .selectFrom('workspace')
    .select('permissions')
    .executeTakeFirstOrThrow()
  await parley.app.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('workspace')
      .set(setColumn({ post: ['owner'] }))
      .execute()
    await tx
      .updateTable('workspace')
      .set(setColumn(before as object))
      .execute()
  })
  await here.waitFor('permissions:changed')
})
