import { expect, test } from 'vitest'
import { type Person, serve, startParley } from '../../test/support/parley.ts'
import { codeOf, openDirectory } from '../../test/support/scim-directory.ts'

const parley = await startParley()
const other = await serve(parley.databaseUrl)
const { ada, bob } = await parley.people('ada', 'bob')
const { scim } = await openDirectory(parley, ada)

test('the endpoint describes itself', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
  })
  for (const name of ['ResourceTypes', 'Schemas']) {
    const { body } = await scim('GET', `/${name}`)
    for (const each of body.Resources)
      expect((await scim('GET', `/${name}/${encodeURIComponent(each.id)}`)).body).toEqual(each)
  }
})

test('a token gives access only to SCIM; only the owner creates one, and revokes it on every node immediately', async () => {
  const tries = async (by: Person) => [
    (await by.post('/api/provisioning-tokens', { name: 'x' })).status,
    (await by.get('/api/provisioning-tokens')).status,
  ]
  expect(await tries(bob)).toEqual([403, 403])
  const { body: made } = await ada.post('/api/provisioning-tokens', { name: 'Entra ID' })
  expect((await scim('GET', '/Users?count=1', undefined, { by: made.token, at: other })).status).toBe(200)
  const call = (url: string) => parley.app.inject({ url, headers: { authorization: `Bearer ${made.token}` } })
  for (const url of ['/api/users', '/api/channels', '/api/audit', '/api/provisioning-tokens'])
    expect([url, (await call(url)).statusCode]).toEqual([url, 401])
  for (const by of [ada.token, '', 'scim_', `scim_${'x'.repeat(43)}`, `${made.token}x`, made.token.slice(5)])
    expect(codeOf(await scim('GET', '/Users', undefined, { by }))).toEqual([401, undefined])
  const stored = await parley.app.db.selectFrom('provisioning_tokens').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(made.token)
  const { body: listed } = await ada.get('/api/provisioning-tokens')
  expect(listed[0]).toMatchObject({ id: made.id, name: 'Entra ID', lastUsedAt: expect.any(String) })
  expect((await ada.delete(`/api/provisioning-tokens/${made.id}`)).status).toBe(204)
  expect((await scim('GET', '/Users', undefined, { by: made.token, at: other })).status).toBe(401)
  expect((await ada.delete(`/api/provisioning-tokens/${made.id}`)).status).toBe(404)
  const kinds = parley.app.db.selectFrom('audit_log').select(['kind', 'actorId']).where('kind', 'like', 'provisioning%')
  expect(await kinds.orderBy('id').execute()).toEqual([
    { kind: 'provisioning_token_created', actorId: ada.id },
    { kind: 'provisioning_token_created', actorId: ada.id },
    { kind: 'provisioning_token_revoked', actorId: ada.id },
  ])
})
