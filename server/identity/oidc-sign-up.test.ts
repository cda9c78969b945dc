import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { openCookieClient } from '../test/support/cookie-client.ts'
import { startParley } from '../test/support/parley.ts'
import { ownerCodeOf, readEntry } from './workspace-entry.ts'

let provider: StandIn

beforeAll(async () => {
  provider = await startProvider({
    'sub-mei': { email: 'mei@example.com', email_verified: true, name: 'Mei Lin', preferred_username: 'mei' },
    'sub-odd': { email: 'odd@example.com', email_verified: true, preferred_username: 'odd' },
  })
})
afterAll(() => provider.close())

/** Signs in to a server with the provider. */
const signIn = (sub: string, { at, invite }: { at: Awaited<ReturnType<typeof startParley>>; invite?: string }) =>
  hostedSignIn(at).signIn(sub, { ...(invite && { invite }) })

test('if only the provider is allowed, passwords are refused', async () => {
  const at = await startParley({ ...provider.settings, OIDC_ONLY: 'true' })
  expect((await at.app.inject('/api/auth/ways')).json()).toEqual({
    provider: { name: 'Example ID' },
    password: false,
    signUp: 'open',
    needsOwnerLink: false,
    workspaceName: 'Parley',
    isEmpty: true,
    sendsMail: false,
  })
  const { me } = await signIn('sub-mei', { at })
  expect(me.role).toBe('owner')
  const account = { name: 'X', username: 'xavier', email: 'x@example.com', password: 'correct horse' }
  for (const path of ['/sign-up/email', '/sign-in/email', '/sign-in/username'])
    expect((await openCookieClient().post(`${at.address}/api/auth${path}`, account)).status).toBe(403)
})

test('through a public address, the first user of the provider needs the link of the owner', async () => {
  const at = await startParley({ ...provider.settings, OIDC_ONLY: 'true', TRUST_PROXY: 'loopback', SIGNUP: 'open' })
  expect(await signIn('sub-mei', { at })).toMatchObject({ error: 'OWNER_LINK_NEEDED', me: undefined })
  expect(await signIn('sub-mei', { at, invite: 'made-up' })).toMatchObject({ error: 'OWNER_LINK_NEEDED' })
  const code = ownerCodeOf(await readEntry(at.app.db, at.app.config), at.app.secret)
  expect((await signIn('sub-mei', { at, invite: code })).me).toMatchObject({ username: 'mei', role: 'owner' })
  expect((await signIn('sub-odd', { at })).me).toMatchObject({ role: 'member' })
})

test('with sign-up by invitation, users of the provider need an invite as well', async () => {
  const at = await startParley({ ...provider.settings, SIGNUP: 'invite' })
  const ada = await at.person('ada')
  expect(await signIn('sub-mei', { at })).toMatchObject({ error: 'INVITE_NEEDED', me: undefined })
  expect(await signIn('sub-mei', { at, invite: 'made-up' })).toMatchObject({ error: 'INVITE_ENDED', me: undefined })
  const { body: invite } = await ada.post('/api/invites', { days: 1, maxUses: 1 })
  expect((await signIn('sub-mei', { at, invite: invite.code })).me.username).toBe('mei')
  expect((await signIn('sub-mei', { at })).me.username).toBe('mei')
  expect(await signIn('sub-odd', { at, invite: invite.code })).toMatchObject({ error: 'INVITE_ENDED' })
})
