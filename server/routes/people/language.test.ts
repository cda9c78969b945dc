import { expect, test } from 'vitest'
import { listen, type Person, serve, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

const choose = (person: Person, language: unknown) => person.patch('/api/users/me', { language })
const sessionOf = async ({ cookie }: Person) =>
  (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user

test('the language belongs to the account: all its devices receive it on every node, and when they connect', async () => {
  const other = await serve(parley.databaseUrl)
  const own = await Promise.all([ada.listen(), ada.listen(), listen(other.address, ada.token)])
  expect(await sessionOf(ada)).toMatchObject({ language: null })
  expect(await own[0]?.waitFor('ready')).toMatchObject({ language: null })

  for (const language of ['de', 'pt-BR', null]) {
    expect(await choose(ada, language)).toMatchObject({ status: 200, body: { id: ada.id, language } })
    for (const device of own)
      expect(await device.waitFor('user:language_changed', (event) => event.language === language)).toEqual({
        language,
      })
    expect(await sessionOf(ada)).toMatchObject({ language })
    expect(await (await ada.listen()).waitFor('ready')).toMatchObject({ language })
    const elsewhere = { url: '/api/auth/get-session', headers: { cookie: ada.cookie } }
    expect((await other.app.inject(elsewhere)).json().user).toMatchObject({ language })
  }
})

test('a name and a language can change together, and repeating a language publishes nothing', async () => {
  const own = await ada.listen()
  const body = { name: 'Ada King', language: 'fr' }
  expect((await ada.patch('/api/users/me', body)).body).toMatchObject(body)
  await own.waitFor('user:updated', ({ name }) => name === 'Ada King')
  await own.waitFor('user:language_changed')
  await choose(ada, 'fr')
  await choose(ada, 'ja')
  await own.waitFor('user:language_changed', ({ language }) => language === 'ja')
  expect(own.all('user:language_changed').map(({ language }) => language)).toEqual(['fr', 'ja'])
})

test('a language is private: no response and no event of others contains it', async () => {
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const others = await Promise.all([bob.listen(), eve.listen()])
  await ada.patch('/api/users/me', { name: 'Ada Private', language: 'tlh' })
  for (const device of others) {
    await device.waitFor('user:updated', ({ name }) => name === 'Ada Private')
    expect(device.all('user:language_changed')).toEqual([])
    expect(JSON.stringify(device.events)).not.toContain('tlh')
  }
  for (const person of [bob, eve])
    for (const url of ['/api/users', `/api/users/${ada.id}`, `/api/channels/${direct.id}`, '/api/channels'])
      expect(JSON.stringify((await person.get(url)).body)).not.toContain('tlh')
  expect((await bob.get(`/api/users/${ada.id}`)).body).not.toHaveProperty('language')
  expect((await ada.get('/api/users')).body[0]).not.toHaveProperty('language')
})

test.each([
  ['DE', 'de'],
  ['PT-br', 'pt-BR'],
  // A property of every JavaScript object.
  ['toString', 'tostring'],
])('%s is stored as %s, as browsers write it', async (given, stored) => {
  expect(await choose(bob, given)).toMatchObject({ status: 200, body: { language: stored } })
  expect(await sessionOf(bob)).toMatchObject({ language: stored })
})

test.each(['', 'd', 'x'.repeat(36), 'de_DE', 'de-', '-de', 'de DE', '<b>', 'dé', 'de\u0000', 'abcd', 'de-1', 7, {}])(
  '%j is not a language',
  async (language) => {
    const before = await sessionOf(bob)
    expect(await choose(bob, language)).toMatchObject({ status: 400, code: 'invalid' })
    expect(await sessionOf(bob)).toEqual(before)
  },
)
