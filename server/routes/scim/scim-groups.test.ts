import { expect, test } from 'vitest'
import type { Group } from '#contract/groups'
import { listen, serve, startParley, untilPeers } from '../../test/support/parley.ts'
import { codeOf, openDirectory, USER } from '../../test/support/scim-directory.ts'

// SCIM groups: the examples of RFC 7643 and RFC 7644, and the requests that Okta and Entra ID document.

const parley = await startParley()
const other = await serve(parley.databaseUrl)
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
await untilPeers(parley, other)
const { scim, create } = await openDirectory(parley, ada)

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const babs = await create({ displayName: 'Babs Jensen' })
const mandy = await create({ displayName: 'Mandy Pepperidge' })
const member = ({ id }: { id: string }, display = 'X') => ({
  value: id,
  $ref: `https://example.com/v2/Users/${id}`,
  display,
})

let count = 0
const make = async (more: object = {}) => {
  const { status, body } = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName: `Group ${count++}`,
    externalId: `group-${count}`,
    members: [],
    ...more,
  })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}
const patch = (id: string, ...Operations: object[]) => scim('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations })
const find = (filter: string, more = '') => scim('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`)
const membersOf = async (id: string) =>
  (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort()
const seen = async (id: string) =>
  ((await bob.get('/api/groups')).body as Group[]).find((group) => group.id === id) as Group

test('the group of RFC 7643, 8.4 is created, read, mentioned here, and deleted', async () => {
  const { status, body, headers } = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName: 'Tour Guides',
    members: [member(babs, 'Babs Jensen'), { ...member(mandy, 'Mandy Pepperidge'), type: 'User' }],
  })
  expect([status, headers['content-type']]).toEqual([201, 'application/scim+json; charset=utf-8'])
  expect(body).toMatchObject({
    schemas: [GROUP],
    displayName: 'Tour Guides',
    meta: { resourceType: 'Group', location: headers['location'], created: expect.any(String) },
  })
  const expected = [
    { value: babs.id, display: 'Babs Jensen', type: 'User', $ref: babs.meta.location },
    { value: mandy.id, display: 'Mandy Pepperidge', type: 'User', $ref: mandy.meta.location },
  ]
  expect(body.members).toEqual(expected.sort((a, b) => (a.value < b.value ? -1 : 1)))
  expect((await scim('GET', `/Groups/${body.id}`)).body).toEqual(body)
  expect(await seen(body.id)).toMatchObject({ username: 'tour-guides', name: 'Tour Guides', peopleCount: 2 })
  const { body: channel } = await ada.post('/api/channels', { name: 'tours', members: [babs.id] })
  expect((await ada.say(channel.id, 'hello @tour-guides')).mentions).toMatchObject([{ userId: body.id, isGroup: true }])
  expect((await scim('DELETE', `/Groups/${body.id}`)).status).toBe(204)
  for (const method of ['GET', 'DELETE'] as const) expect((await scim(method, `/Groups/${body.id}`)).status).toBe(404)
  expect(await seen(body.id)).toBeUndefined()
})

test('the changes of RFC 7644, 3.5.2: members are added, removed by their value, replaced, and all removed', async () => {
  const { id } = await make()
  // 3.5.2.1
  const added = await patch(id, { op: 'add', path: 'members', value: [member(babs, 'Babs Jensen')] })
  expect([added.status, added.body]).toEqual([204, undefined])
  expect(await membersOf(id)).toEqual([babs.id])
  // There are no duplicates.
  await patch(id, { op: 'add', path: 'members', value: [member(babs)] })
  expect(await membersOf(id)).toEqual([babs.id])
  // 3.5.2.2: one is removed, and another is added in its place.
  await patch(
    id,
    { op: 'remove', path: `members[value eq "${babs.id}"]` },
    { op: 'add', path: 'members', value: [member(mandy)] },
  )
  expect(await membersOf(id)).toEqual([mandy.id])
  await patch(id, { op: 'add', value: { members: [member(babs)] } })
  await patch(id, { op: 'remove', path: 'members[type eq "User" and display sw "mandy"]' })
  expect(await membersOf(id)).toEqual([babs.id])
  // 3.5.2.3
  await patch(id, { op: 'replace', path: 'members', value: [member(mandy), { value: bob.id }] })
  expect(await membersOf(id)).toEqual([mandy.id, bob.id].sort())
  const shown = await scim('PATCH', `/Groups/${id}?attributes=displayName`, {
    Operations: [{ op: 'remove', path: 'members' }],
  })
  expect([shown.status, shown.body.members]).toEqual([200, undefined])
  expect(await membersOf(id)).toEqual([])
})

test('Okta: creates a group, renames it without a path, and replaces it', async () => {
  const { id } = await make({ displayName: 'Okta Test', members: [member(babs)] })
  const { username } = await seen(id)
  await patch(id, { op: 'replace', value: { id, displayName: 'Okta Renamed' } })
  // Its username for mentions stays the same.
  expect(await seen(id)).toMatchObject({ username, name: 'Okta Renamed' })
  const put = await scim('PUT', `/Groups/${id}`, { schemas: [GROUP], id, displayName: 'Whole', members: [member(bob)] })
  expect(put).toMatchObject({ status: 200, body: { displayName: 'Whole', members: [{ value: bob.id }] } })
  expect(put.body.externalId).toBeUndefined()
})

test('Entra ID: finds a group by its name without members, and removes members by their value', async () => {
  const { id } = await make({ displayName: 'Entra "Test"', members: [member(babs), member(mandy)] })
  const { body } = await find('displayName eq "Entra \\"Test\\""', '&excludedAttributes=members')
  expect(body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
  expect(body.Resources[0]).not.toHaveProperty('members')
  const isIn = async (person: string) => (await find(`id eq "${id}" and members eq "${person}"`)).body.totalResults
  expect([await isIn(babs.id), await isIn(bob.id)]).toEqual([1, 0])
  await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: babs.id }] })
  await patch(id, { op: 'Add', path: 'members', value: [{ $ref: null, value: bob.id }] })
  await patch(id, { op: 'Replace', path: 'displayName', value: 'Entra Other' })
  expect([await membersOf(id), (await seen(id)).name]).toEqual([[mandy.id, bob.id].sort(), 'Entra Other'])
})

test('filters find groups by each attribute, in pages', async () => {
  const { id, externalId, displayName } = await make({ displayName: 'Filter Group', members: [member(babs)] })
  for (const filter of [
    `externalId eq "${externalId}"`,
    `id eq "${id}"`,
    `displayName eq "${displayName.toUpperCase()}"`,
    `urn:ietf:params:scim:schemas:core:2.0:Group:displayName sw "filter gr"`,
    `members.value eq "${babs.id}" and externalId eq "${externalId}"`,
    `members[value eq "${babs.id}"] and displayName co "Filter"`,
    `members pr and externalId eq "${externalId}"`,
    `meta.lastModified gt "2011-05-13T04:42:34Z" and externalId eq "${externalId}"`,
  ])
    expect([filter, (await find(filter)).body.Resources?.map((it: { id: string }) => it.id)]).toEqual([filter, [id]])
  for (const filter of ['members co "x"', 'members eq 7', 'owner eq "x"', 'members.display eq "x"'])
    expect(codeOf(await find(filter))).toEqual([400, 'invalidFilter'])
  const all = (await scim('GET', '/Groups?count=200')).body
  expect(all.totalResults).toBe(all.Resources.length)
  expect((await scim('GET', '/Groups?startIndex=2&count=1')).body.Resources[0].id).toBe(all.Resources[1].id)
  expect((await scim('GET', '/Groups?count=0')).body).toMatchObject({ Resources: [], totalResults: all.totalResults })
  for (const type of ['ResourceTypes/Group', `Schemas/${GROUP}`, `Schemas/${USER}`])
    expect((await scim('GET', `/${type}`)).status).toBe(200)
})

test('only a directory can change its groups, and it cannot see groups created by people', async () => {
  const { id } = await make({ members: [member(babs)] })
  const { body: own } = await ada.post('/api/groups', { username: 'own', name: 'Own', groupIds: [id] })
  expect([(await seen(id)).isManaged, own.isManaged, own.peopleCount]).toEqual([true, false, 1])
  for (const answer of [
    await ada.patch(`/api/groups/${id}`, { name: 'Mine' }),
    await ada.patch(`/api/groups/${id}`, { userIds: [eve.id] }),
    await ada.delete(`/api/groups/${id}`),
  ])
    expect([answer.status, answer.body.error.reason]).toEqual([403, 'groupManaged'])
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    expect((await scim(method, `/Groups/${own.id}`, { displayName: 'X' })).status).toBe(404)
  expect((await find('displayName eq "Own"')).body.totalResults).toBe(0)
  // A taken name gets a number.
  expect((await seen((await make({ displayName: 'own' })).id)).username).toBe('own-2')
  expect((await seen((await make({ displayName: '開発' })).id)).username).toBe('group')
})

test('without a directory’s token, people can change its groups', async () => {
  const at = await startParley()
  const owner = await at.person('olga')
  const directory = await openDirectory(at, owner)
  const { id } = (await directory.scim('POST', '/Groups', { displayName: 'Orphans' })).body
  expect((await owner.delete(`/api/groups/${id}`)).status).toBe(403)
  const [token] = (await owner.get('/api/provisioning-tokens')).body
  await owner.delete(`/api/provisioning-tokens/${token.id}`)
  expect((await owner.get('/api/groups')).body).toMatchObject([{ id, isManaged: false }])
  expect((await owner.delete(`/api/groups/${id}`)).status).toBe(204)
})

test('a person deleted by the directory leaves its groups; guests and unknown people are never in them', async () => {
  const gone = await create()
  const { id } = await make({ members: [member(gone), member(babs)] })
  await scim('DELETE', `/Users/${gone.id}`)
  expect(await membersOf(id)).toEqual([babs.id])
  const { body: channel } = await ada.post('/api/channels', { name: 'guests' })
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [channel.id], days: 3 } })
  const gil = await parley.person('gil', invite.code)
  for (const person of [gil.id, gone.id, 'nobody', 'assistant-bot']) {
    expect(codeOf(await patch(id, { op: 'add', path: 'members', value: [{ value: person }] }))).toEqual([
      400,
      'invalidValue',
    ])
    expect(codeOf(await scim('POST', '/Groups', { displayName: 'X', members: [{ value: person }] }))).toEqual([
      400,
      'invalidValue',
    ])
  }
  expect(await membersOf(id)).toEqual([babs.id])
})

test('invalid requests are refused in SCIM’s format, and change nothing', async () => {
  const { id, externalId } = await make({ members: [member(babs)] })
  for (const [body, type] of [
    [{}, 'invalidValue'],
    [{ displayName: '' }, 'invalidValue'],
    [{ displayName: 'x'.repeat(256) }, 'invalidValue'],
    [{ displayName: 'X', members: ['nobody'] }, 'invalidValue'],
    [{ displayName: 'X', members: [{ value: id, type: 'Group' }] }, 'invalidValue'],
    [{ displayName: 'X', members: Array(5001).fill({ value: babs.id }) }, 'invalidValue'],
  ] as const)
    expect(codeOf(await scim('POST', '/Groups', body))).toEqual([400, type])
  expect(codeOf(await scim('POST', '/Groups', { displayName: 'X', externalId }))).toEqual([409, 'uniqueness'])
  for (const [operation, type] of [
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'remove', path: 'members[value eq ]' }, 'invalidFilter'],
    [{ op: 'remove', path: 'members[password eq "x"]' }, 'invalidFilter'],
    [{ op: 'remove', path: 'members[__proto__ pr]' }, 'invalidFilter'],
    [{ op: 'replace', path: `members[value eq "${babs.id}"]`, value: [member(mandy)] }, 'invalidPath'],
    [{ op: 'replace', path: `members[value eq "${babs.id}"].display`, value: 'X' }, 'invalidPath'],
    [{ op: 'add', path: 'members', value: 'x' }, 'invalidValue'],
    [{ op: 'move', path: 'members' }, 'invalidSyntax'],
  ] as const)
    expect([operation, codeOf(await patch(id, operation))]).toEqual([operation, [400, type]])
  expect(await membersOf(id)).toEqual([babs.id])
  for (const path of [`/Groups/${babs.id}x`, '/Groups/%00', '/Groups/0199a1de-0000-7000-8000-000000000000'])
    expect((await scim('GET', path)).status).toBe(404)
})

test('pages on all nodes are notified, and the audit log names the directory', async () => {
  const heard = [await bob.listen(), await listen(other.address, eve.token)]
  const { id } = await make()
  for (const listener of heard) await listener.waitFor('groups:changed')
  await patch(id, { op: 'add', path: 'members', value: [member(babs)] })
  await scim('DELETE', `/Groups/${id}`)
  const { entries } = (await ada.get('/api/audit?kind=group_provided&limit=3')).body
  expect(entries.map(({ details, actor }: { details: object; actor: null }) => ({ ...details, actor }))).toMatchObject([
    { act: 'deleted', token: 'Okta', actor: null },
    { act: 'changed' },
    { act: 'created' },
  ])
  for (const { socket } of heard) socket.close()
})
