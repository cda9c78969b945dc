import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCodes } from '#contract/errors'
import { startParley } from '../support/parley.ts'

// Errors are translated: each has a text in languages/en.json, and no source contains its own.

const english: Record<string, string> = JSON.parse(readFileSync('languages/en.json', 'utf8'))
const sources = (pattern: string) =>
  globSync(pattern)
    .filter((file) => !/\.test\.ts$|[\\/]test[\\/]/.test(file))
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')] as const)

test('errors are only created from the tables of refusals, so each has a translatable text', () => {
  const makers = (pattern: RegExp) =>
    sources('server/**/*.ts').flatMap(([file, code]) => (pattern.test(code) ? [file] : []))
  expect(makers(/new AppError\(/)).toEqual(['server/errors.ts'])
  expect(makers(/new APIError\(/)).toEqual(['server/identity/identity-refusal.ts'])
})

test('the schemas of the contract name reasons', () => {
  for (const [file, code] of sources('contract/*.ts'))
    expect(code.match(/['"`](must |is |holds |contains )[^'"`]*['"`]/g) ?? [], file).toEqual([])
})

test('a text about a field starts with it, so that the field can be omitted', () => {
  const about = Object.entries(english).filter(([id, text]) => id.startsWith('errors.') && text.includes('{field}'))
  expect(about.length).toBeGreaterThan(20)
  for (const [id, text] of about) expect(text, id).toMatch(/^\{field\} /)
})

test('a reply says the same to programs and to people', async () => {
  const { ada, bob } = await (await startParley()).people('ada', 'bob')
  const { body: channel } = await ada.post('/api/channels', { name: 'launch' })
  const errorOf = async (reply: Promise<{ body: { error: object } }>) => (await reply).body.error
  expect(await errorOf(bob.post('/api/channels', { name: 'launch' }))).toEqual({
    code: 'name_taken',
    reason: 'channelNameTaken',
    message: 'A channel with this name already exists',
  })
  expect(await errorOf(ada.patch(`/api/channels/${channel.id}`, { name: 'x'.repeat(81) }))).toEqual({
    code: 'invalid',
    reason: 'tooLong',
    values: { max: 80, field: 'name' },
    message: 'name must have at most 80 characters',
    fields: { name: 'must have at most 80 characters' },
    problems: { name: { reason: 'tooLong', values: { max: 80 } } },
  })
  expect(await errorOf(ada.patch(`/api/channels/${channel.id}`, { name: 7 }))).toMatchObject({
    reason: 'invalidInput',
    message: 'name is invalid',
    fields: { name: 'is invalid' },
  })
  expect(await errorOf(bob.get('/api/channels/none'))).toMatchObject({ code: 'invalid', reason: 'notAnId' })
  expect(await errorOf(bob.patch('/api/users/me', { username: ada.username }))).toEqual({
    code: 'username_taken',
    reason: 'usernameTaken',
    message: 'This username is taken',
    fields: { username: 'is taken' },
    problems: { username: { reason: 'taken' } },
  })
})

test('of a thousand invalid values, a reply reports the first 20', async () => {
  const eve = await (await startParley()).person('eve')
  const revs = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [at, 'x']))
  const { status, body } = await eve.post('/api/sync', { revs })
  expect(status).toBe(400)
  expect(Object.keys(body.error.fields)).toHaveLength(20)
  expect(Object.keys(body.error.problems)).toEqual(Object.keys(body.error.fields))
})

test('every reason in replies of the identity API has a text', async () => {
  const parley = await startParley({ SIGNUP: 'invite' })
  await parley.people('ada')
  const payload = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'correct horse' }
  const answer = await parley.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
  expect(answer.json()).toMatchObject({
    code: 'INVITE_NEEDED',
    reason: 'inviteNeeded',
    message: english['errors.inviteNeeded'],
  })
})

test('every code is used', () => {
  const code = sources('server/**/*.ts')
    .map(([, text]) => text)
    .join('\n')
  for (const each of errorCodes) expect(code, each).toContain(`'${each}'`)
})
