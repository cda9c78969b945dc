import { afterEach, expect, test, vi } from 'vitest'
import { problem } from '#contract/errors'
import { callIdentity } from '../../session/session.ts'
import { identityError } from './identity-errors.ts'

afterEach(() => vi.unstubAllGlobals())

/** The text shown for a reply of the identity API. */
async function textOf(status: number, reply: object) {
  // Without a status text, as over HTTP/2.
  vi.stubGlobal('fetch', async () => Response.json(reply, { status }))
  return identityError(await callIdentity('POST', '/sign-in/email', {}).catch((error) => error))
}

test('a refusal before the library is asked is explained by its reason', async () => {
  const away = { code: 'unavailable', message: 'In English', ...problem('errors.databaseAway') }
  expect(await textOf(503, { error: away })).toEqual({
    text: "The database isn't responding. Try again in a moment.",
  })
  const problems = { username: problem('errors.unstorable') }
  const unstorable = { reason: 'unstorable', values: { field: 'username' }, problems }
  expect(await textOf(400, { error: { code: 'invalid', message: 'In English', ...unstorable } })).toEqual({
    text: "The username contains characters that can't be stored",
  })
})

test('reasons in the library’s own shape are explained as well, and unknown ones by its message', async () => {
  const ended = { code: 'INVITE_ENDED', message: 'In English', ...problem('errors.inviteEnded') }
  expect(await textOf(403, ended)).toEqual({ text: 'This invite link has expired or been used up' })
  expect(await textOf(403, { code: 'FULL_MOON', message: 'The moon is full' })).toEqual({ text: 'The moon is full' })
})

test('an address that only the library refuses is marked', async () => {
  const reply = { code: 'VALIDATION_ERROR', message: '[body.email] Invalid email address' }
  expect(await textOf(400, reply)).toEqual({ field: 'email', text: "This isn't a valid email address" })
})

test('a username that looks like another gets a different error from one that is taken', async () => {
  const code = 'USERNAME_IS_ALREADY_TAKEN'
  expect(await textOf(400, { code, message: 'In English', ...problem('errors.usernameLooksTaken') })).toEqual({
    field: 'username',
    text: 'This username looks too much like another one',
  })
  expect((await textOf(400, { code, message: 'In English' })).field).toBe('username')
})
