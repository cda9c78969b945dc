import { expect, test } from 'vitest'
import { type PersonCard, type ProfileField, profileLimits } from '#contract/person-cards'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

const cardOf = async (asking: Person, { id }: Person) => (await asking.get(`/api/users/${id}/card`)).body as PersonCard
const update = (person: Person, body: object) => person.patch('/api/users/me/card', body)
const setFields = (person: Person, fields: object[]) => person.put('/api/workspace/profile-fields', { fields })
const fieldsOf = async () => (await bob.get('/api/workspace/profile-fields')).body as ProfileField[]
const known = ['title', 'pronouns', 'phone'].map((id) => ({ id, label: null }))

test('people fill in the workspace’s fields; others see those that are not empty', async () => {
  expect(await fieldsOf()).toEqual(known)
  const values = { title: ' Engineer ', phone: '', shoe: '42' }
  const { status, body } = await update(bob, { values })
  expect([status, body.fields]).toEqual([
    200,
    [
      { id: 'title', label: null, value: 'Engineer' },
      { id: 'pronouns', label: null, value: '' },
      { id: 'phone', label: null, value: '' },
    ],
  ])
  expect(await cardOf(eve, bob)).toEqual({
    role: 'member',
    timeZone: null,
    fields: [{ id: 'title', label: null, value: 'Engineer' }],
  })
  await update(bob, { values: { pronouns: 'he/him' } })
  expect((await cardOf(eve, bob)).fields.map(({ value }) => value)).toEqual(['Engineer', 'he/him'])
})

test('values and fields are limited', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => n)
  for (const values of [
    { title: 'x'.repeat(profileLimits.value + 1) },
    { title: 'two\nlines' },
    { 'A B': 'x' },
    Object.fromEntries(many(profileLimits.fields + 1).map((n) => [`f${n}`, 'x'])),
  ])
    expect(await update(bob, { values })).toMatchObject({ status: 400, code: 'invalid' })
  for (const fields of [
    many(profileLimits.fields + 1).map((n) => ({ label: `Field ${n}` })),
    [{ label: 'x'.repeat(profileLimits.label + 1) }],
    [{ label: '' }],
    [{ label: null }],
    [{ id: 'unknown', label: 'x' }],
    [
      { id: 'title', label: null },
      { id: 'title', label: 'Twice' },
    ],
  ])
    expect(await setFields(ada, fields)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await fieldsOf()).toEqual(known)
})

test('a browser records the time zone unless the person chose one; invalid ones are refused', async () => {
  await update(bob, { timeZone: 'Europe/Berlin' })
  expect(await cardOf(eve, bob)).toMatchObject({ timeZone: 'Europe/Berlin' })
  expect((await cardOf(eve, bob)).choseTimeZone).toBe(undefined)
  expect((await update(bob, { timeZone: 'Asia/Tokyo', choseTimeZone: true })).body.choseTimeZone).toBe(true)
  expect((await update(bob, { timeZone: 'Europe/Berlin' })).body.timeZone).toBe('Asia/Tokyo')
  expect((await update(bob, { timeZone: 'Europe/Rome', choseTimeZone: false })).body.timeZone).toBe('Europe/Rome')
  expect((await update(bob, { timeZone: 'Europe/Berlin' })).body.timeZone).toBe('Europe/Berlin')
  for (const timeZone of ['Mars/Olympus', '', 'x'.repeat(65), '\0'])
    expect(await update(bob, { timeZone })).toMatchObject({ status: 400 })
})

test('only the owner sets the fields; removing one deletes its values, and is logged', async () => {
  expect(await setFields(bob, known)).toMatchObject({ status: 403, code: 'forbidden' })
  await update(bob, { values: { title: 'Engineer', phone: '123' } })
  const { status, body } = await setFields(ada, [
    { label: 'Team' },
    { id: 'phone', label: 'Extension' },
    { id: 'title', label: null },
  ])
  expect([status, body]).toEqual([
    200,
    [
      { id: expect.any(String), label: 'Team' },
      { id: 'phone', label: 'Extension' },
      { id: 'title', label: null },
    ],
  ])
  const [team] = body as ProfileField[]
  await update(bob, { values: { [team?.id ?? '']: 'Compilers' } })
  expect((await cardOf(eve, bob)).fields).toEqual([
    { id: team?.id, label: 'Team', value: 'Compilers' },
    { id: 'phone', label: 'Extension', value: '123' },
    { id: 'title', label: null, value: 'Engineer' },
  ])
  await setFields(ada, [{ id: 'title', label: null }])
  // A renamed field can't return to its default name, and deleted values stay deleted.
  expect(await setFields(ada, [{ id: 'phone', label: null }])).toMatchObject({ status: 400 })
  expect((await cardOf(bob, bob)).fields).toEqual([{ id: 'title', label: null, value: 'Engineer' }])
  const { profile } = await parley.app.db
    .selectFrom('users')
    .select('profile')
    .where('id', '=', bob.id)
    .executeTakeFirstOrThrow()
  expect(profile).toEqual({ title: 'Engineer' })
  const { entries } = (await ada.get('/api/audit?kind=profile_fields_changed')).body
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({ actor: { id: ada.id }, details: { count: 1 } })
})

test('a guest can open the cards of people in their channels, and no others', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'with a guest', isPrivate: true })
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [channel.id], days: 3 } })
  const gil = await parley.person('gil', invite.code)
  expect((await gil.get(`/api/users/${ada.id}/card`)).status).toBe(200)
  expect((await gil.get(`/api/users/${bob.id}/card`)).status).toBe(404)
  expect((await gil.get('/api/users/nobody/card')).status).toBe(404)
})
