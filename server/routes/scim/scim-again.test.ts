import { expect, test } from 'vitest'
import { startParley } from '../../test/support/parley.ts'
import { openDirectory } from '../../test/support/scim-directory.ts'

// People whom a directory creates after deleting somebody (RFC 7644, 3.6).

const parley = await startParley()
const { ada } = await parley.people('ada')
const { scim, someone, find } = await openDirectory(parley, ada)

test('another person with the name and address of a deleted one gets a new account', async () => {
  const person = someone()
  const { id } = (await scim('POST', '/Users', person)).body
  await scim('DELETE', `/Users/${id}`)
  const other = await scim('POST', '/Users', { ...person, externalId: 'another-id' })
  expect([other.status, other.body.active, other.body.emails[0].value]).toEqual([201, true, person.userName])
  expect(other.body.id).not.toBe(id)
  expect((await find(`userName eq "${person.userName}"`)).body.Resources).toMatchObject([{ id: other.body.id }])
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
  expect((await ada.get(`/api/users/${id}`)).body).toMatchObject({ deactivatedAt: expect.any(String) })
})

test('the name of a deleted person is free for another address, and the address for another name', async () => {
  for (const more of [
    { emails: [{ value: 'elsewhere@corp.example', primary: true }] },
    { userName: 'elsewhere-by-name@corp.example' },
  ]) {
    const person = someone()
    const { id } = (await scim('POST', '/Users', person)).body
    await scim('DELETE', `/Users/${id}`)
    const other = await scim('POST', '/Users', { ...person, ...more })
    expect([other.status, other.body.id === id]).toEqual([201, false])
  }
})

test('an admin deleted by the directory is not restored as an admin', async () => {
  const person = someone()
  const { id } = (await scim('POST', '/Users', person)).body
  await ada.put(`/api/users/${id}/role`, { role: 'admin' })
  await scim('DELETE', `/Users/${id}`)
  const other = await scim('POST', '/Users', person)
  expect([other.status, other.body.id === id]).toEqual([201, false])
  const { body: people } = await ada.get('/api/workspace/people')
  expect(people.find((it: { id: string }) => it.id === other.body.id).role).toBe('member')
})
