import { expect, test } from 'vitest'
import { listen, serve, startParley, untilPeers } from '../../test/support/parley.ts'
import { codeOf, openDirectory, USER } from '../../test/support/scim-directory.ts'

// SCIM 2.0: the examples of RFC 7644, and the requests that Okta and Entra ID document.

const parley = await startParley()
const other = await serve(parley.databaseUrl)
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
await untilPeers(parley, other)
const { scim, someone, patch, find, create } = await openDirectory(parley, ada)

test('the user of RFC 7644, 3.3 is created, and found at the returned location', async () => {
  const { status, body, headers } = await scim('POST', '/Users', {
    schemas: [USER],
    userName: 'bjensen@example.com',
    externalId: 'bjensen',
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  })
  expect([status, headers['content-type']]).toEqual([201, 'application/scim+json; charset=utf-8'])
  expect(body).toMatchObject({
    schemas: [USER],
    userName: 'bjensen@example.com',
    externalId: 'bjensen',
    active: true,
    meta: { resourceType: 'User', location: headers['location'] },
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
    emails: [{ value: 'bjensen@example.com', primary: true }],
  })
  expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body)
  const { body: users } = await bob.get('/api/users?query=barbara')
  expect(users).toEqual([expect.objectContaining({ id: body.id, username: 'bjensen' })])
  const { generalId } = await parley.app.db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  expect(JSON.stringify((await bob.get(`/api/channels/${generalId}/members`)).body)).toContain(body.id)
})

test('Okta: finds, creates, replaces, deactivates and reactivates a person', async () => {
  const person = someone()
  const filter = `userName eq "${person.userName}"`
  expect((await find(filter)).body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1 })
  const { body } = await scim('POST', '/Users', person)
  expect((await find(filter)).body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id }] })
  const renamed = {
    ...person,
    id: body.id,
    displayName: 'Another Name',
    name: { givenName: 'Another', familyName: 'Name' },
  }
  expect((await scim('PUT', `/Users/${body.id}`, renamed)).body).toMatchObject({ displayName: 'Another Name' })
  expect((await patch(body.id, { op: 'replace', value: { active: false } })).body).toMatchObject({ active: false })
  expect((await bob.get('/api/users?query=Another')).body).toEqual([])
  expect((await patch(body.id, { op: 'replace', value: { active: true } })).body).toMatchObject({ active: true })
  expect((await bob.get('/api/users?query=Another')).body).toHaveLength(1)
})

test('Entra ID: tests the connection, creates a person, and patches in its own style', async () => {
  expect((await find('userName eq "0a4b-random-guid"')).body.totalResults).toBe(0)
  const { id } = await create({
    schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    active: true,
    meta: { resourceType: 'User' },
    roles: [],
  })
  const changed = await patch(
    id,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'Updated@corp.example' },
    { op: 'Add', path: 'name.familyName', value: 'updatedFamilyName' },
    { op: 'Replace', path: 'displayName', value: 'New Display' },
    { op: 'Replace', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Tools' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
  )
  expect(changed).toMatchObject({
    status: 200,
    body: {
      displayName: 'New Display',
      name: { familyName: 'updatedFamilyName', givenName: 'Given' },
      emails: [{ value: 'updated@corp.example' }],
    },
  })
  expect((await patch(id, { op: 'Replace', path: 'userName', value: 'other@corp.example' })).body.userName).toBe(
    'other@corp.example',
  )
  expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404)
})

test('a deactivated person has no session left on any node, and an existing account is matched by address', async () => {
  const { socket } = await listen(other.address, eve.token)
  const found = (await find(`userName eq "${eve.email.toUpperCase()}"`)).body.Resources[0]
  expect(found.id).toBe(eve.id)
  expect((await patch(eve.id, { op: 'replace', value: { active: false } })).status).toBe(200)
  await expect.poll(() => socket.connected).toBe(false)
  await expect.poll(async () => (await eve.get('/api/channels')).status).toBe(401)
  const lines = parley.app.db
    .selectFrom('audit_log')
    .select(['kind', 'actorId', 'details'])
    .where('personId', '=', eve.id)
  expect(await lines.orderBy('id').execute()).toEqual([
    { kind: 'person_deactivated', actorId: null, details: {} },
    { kind: 'person_provided', actorId: null, details: { token: 'Okta', act: 'changed' } },
  ])
})

test('the owner cannot be deactivated, deleted, renamed or given another address, nor an admin another address', async () => {
  const admin = await parley.person('admin-amy')
  await ada.put(`/api/users/${admin.id}/role`, { role: 'admin' })
  const email = { op: 'replace', path: 'emails', value: [{ value: 'thief@example.com', primary: true }] }
  for (const answer of [
    await patch(ada.id, { op: 'replace', path: 'active', value: false }),
    await patch(ada.id, { op: 'replace', path: 'displayName', value: 'Nobody' }),
    await patch(ada.id, email),
    await patch(admin.id, email),
    await scim('DELETE', `/Users/${ada.id}`),
  ])
    expect(codeOf(answer)).toEqual([403, 'mutability'])
  expect((await patch(ada.id, { op: 'add', path: 'externalId', value: 'ada' })).status).toBe(200)
  expect((await ada.get('/api/channels')).status).toBe(200)
  expect((await patch(admin.id, { op: 'replace', path: 'active', value: false })).body.active).toBe(false)
})

test('a name, id or address belongs to one person, even with concurrent requests', async () => {
  const person = someone()
  const answers = await Promise.all([scim('POST', '/Users', person), scim('POST', '/Users', person, { at: other })])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  for (const each of [
    someone({ userName: person.userName.toUpperCase() }),
    someone({ externalId: person.externalId }),
    someone({ emails: person.emails }),
    someone({ userName: bob.email, emails: [] }),
  ])
    expect(codeOf(await scim('POST', '/Users', each))).toEqual([409, 'uniqueness'])
})

test('a deleted person is restored with the same account', async () => {
  const person = someone()
  const { id } = (await scim('POST', '/Users', person)).body
  await scim('DELETE', `/Users/${id}`)
  expect((await find(`userName eq "${person.userName}"`)).body.totalResults).toBe(0)
  const again = await scim('POST', '/Users', person)
  expect([again.status, again.body.id, again.body.active]).toEqual([201, id, true])
})

test('filters find people by each attribute, in pages', async () => {
  const { id, externalId, userName } = await create({ displayName: 'Zoë "the" Filter' })
  for (const filter of [
    `externalId eq "${externalId}"`,
    `id eq "${id}"`,
    `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${userName}"`,
    `emails[type eq "work"].value eq "${userName}"`,
    `emails.value eq "${userName}"`,
    `emails[type eq "work" and value co "${userName}"]`,
    `USERNAME Eq "${userName.toUpperCase()}" and active eq true`,
    `displayName sw "zoë" and not (active eq false)`,
    `displayName ew "FILTER"`,
    `userName eq "${userName}" or userName eq "nobody"`,
    `meta.created gt "2011-05-13T04:42:34Z" and externalId eq "${externalId}" and name.familyName pr`,
  ])
    expect([filter, (await find(filter)).body.Resources?.map((it: { id: string }) => it.id)]).toEqual([filter, [id]])
  const all = (await scim('GET', '/Users?count=200')).body
  expect(all.totalResults).toBe(all.Resources.length)
  expect(JSON.stringify(all)).not.toContain('assistant-bot')
  const second = (await scim('GET', '/Users?startIndex=2&count=1')).body
  expect([second.itemsPerPage, second.startIndex, second.Resources[0].id]).toEqual([1, 2, all.Resources[1].id])
  expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ Resources: [], totalResults: all.totalResults })
  expect((await scim('GET', '/Users?startIndex=-5&count=1')).body.startIndex).toBe(1)
  expect(Object.keys((await scim('GET', `/Users/${id}?attributes=userName`)).body).sort()).toEqual([
    'id',
    'meta',
    'schemas',
    'userName',
  ])
  expect((await scim('GET', `/Users/${id}?excludedAttributes=emails`)).body).not.toHaveProperty('emails')
})

test('invalid requests are refused in SCIM’s format, and change nothing', async () => {
  const { id } = await create()
  for (const filter of [
    'userName',
    'userName eq',
    '((((',
    'password eq "x"',
    'userName eq "a" and',
    '__proto__ eq "x"',
    'constructor pr',
    'active eq "maybe"',
    'userName eq 7',
    `userName eq "${'x'.repeat(1001)}"`,
    `${'('.repeat(400)}userName pr${')'.repeat(400)}`,
    'meta.created gt "yesterday"',
    `userName eq "'; drop table users; --" and x eq "y"`,
  ]) {
    const { status, scimType } = await find(filter).then(({ body, status }) => ({ status, scimType: body.scimType }))
    const isFound = filter.startsWith('((((((') && status === 200
    if (!isFound) expect([filter.slice(0, 60), status, scimType]).toEqual([filter.slice(0, 60), 400, 'invalidFilter'])
  }
  for (const [more, type] of [
    [{ userName: undefined }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'x'.repeat(256) }, 'invalidValue'],
    [{ userName: 'no-address', emails: undefined }, 'invalidValue'],
    [{ emails: 'x@example.com' }, 'invalidValue'],
    [{ active: 'maybe' }, 'invalidValue'],
    [{ displayName: 'a\0b' }, 'invalidValue'],
  ] as const)
    expect([more, ...codeOf(await scim('POST', '/Users', someone(more)))]).toEqual([more, 400, type])
  for (const [operation, type] of [
    [{ op: 'explode', path: 'userName', value: 'x' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: '..', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
  ] as const)
    expect([operation, ...codeOf(await patch(id, operation))]).toEqual([operation, 400, type])
  expect(
    codeOf(await scim('PATCH', `/Users/${id}`, { Operations: Array(101).fill({ op: 'add', value: {} }) })),
  ).toEqual([400, 'tooMany'])
  for (const body of ['{', '[]', '"x"', '{"__proto__": {"active": false}}'])
    expect((await scim('PUT', `/Users/${id}`, body)).status).toBe(400)
  expect((await scim('POST', '/Users', JSON.stringify(someone({ title: 'x'.repeat(600_000) })))).status).toBe(413)
  await patch(
    id,
    { op: 'add', path: '__proto__.polluted', value: true },
    { op: 'add', value: { constructor: { a: 1 } } },
  )
  expect(({} as { polluted?: boolean }).polluted).toBe(undefined)
  for (const path of ['/Users/nobody', '/Users/assistant-bot', '/Users/%00'])
    expect(codeOf(await scim('GET', path))).toEqual([404, undefined])
  expect((await scim('GET', `/Users/${id}`)).body.active).toBe(true)
})
