import { io } from 'socket.io-client'
import { expect, test } from 'vitest'
import type { SignInWays } from '#contract/identity'
import { startMailServer } from '../../test/services/mail-server.ts'
import { serve, startParley, untilPeers } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const smtp = await startMailServer()
const parley = await startParley({
  SMTP_URL: smtp.url(),
  MAIL_FROM: 'chat@example.com',
  PUBLIC_URL: 'https://chat.example.com',
})
// Ada came first, so she owns the workspace. Eve has no account.
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
await ada.put(`/api/users/${cyd.id}/role`, { role: 'admin' })
const rename = (name: unknown, by = ada) => by.patch('/api/workspace', { name })
const ways = async (address = parley.address) => (await (await fetch(`${address}/api/auth/ways`)).json()) as SignInWays

test('a workspace is called Parley until the owner or an admin renames it; members are refused', async () => {
  expect(await ways()).toMatchObject({ workspaceName: 'Parley' })
  expect((await rename('Mine', bob)).status).toBe(403)
  expect(await rename('  Acme  ')).toMatchObject({ status: 200, body: { name: 'Acme' } })
  expect(await rename('Acme & Sons', cyd)).toMatchObject({ status: 200, body: { name: 'Acme & Sons' } })
  expect((await ways()).workspaceName).toBe('Acme & Sons')
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['x'.repeat(81), 'tooLong'],
  ['x'.repeat(10_000), 'tooLong'],
  ['a\nb', 'invisibleCharacters'],
  ['a\u0000b', 'invisibleCharacters'],
  ['a\u202eb', 'invisibleCharacters'],
  [7, undefined],
])('the name %j is refused with a reason', async (name, reason) => {
  const { status, body } = await rename(name)
  expect([status, body.error.code]).toEqual([400, 'invalid'])
  if (reason) expect(body.error.problems.name.reason).toBe(reason)
  expect((await ways()).workspaceName).toBe('Acme & Sons')
})

test('80 characters of any script are a name', async () => {
  for (const name of ['x'.repeat(80), 'م'.repeat(80), '🦉'.repeat(40)]) {
    expect((await rename(name)).body).toEqual({ name })
    expect((await ways()).workspaceName).toBe(name)
  }
})

test('each change is logged once, with both names', async () => {
  await rename('Before')
  await rename('After')
  await rename('After')
  const { entries } = (await ada.get('/api/audit?kind=workspace_renamed&limit=2')).body
  expect(entries[0]).toMatchObject({ actor: { id: ada.id }, details: { from: 'Before', to: 'After' } })
  expect(entries[1]).toMatchObject({ details: { to: 'Before' } })
})

test('members of every node receive a change, even one that is quickly reverted; people without a session nothing', async () => {
  const node = await serve(parley.databaseUrl)
  await untilPeers(parley, node)
  const here = await ada.listen()
  const there = io(node.address, { auth: { token: bob.token } })
  const eve = io(node.address, { reconnection: false })
  const seen: string[] = []
  eve.onAny((event) => seen.push(event))
  const refused = new Promise((resolve) => eve.once('connect_error', resolve))
  await new Promise<void>((resolve) => there.once('ready', () => resolve()))
  await refused
  const received = new Promise((resolve) => there.once('workspace:renamed', resolve))
  await rename('Other')
  await rename('After')
  expect(await received).toMatchObject({ name: expect.stringMatching(/^(Other|After)$/) })
  await here.waitFor('workspace:renamed')
  expect((await ways(node.address)).workspaceName).toBe('After')
  expect(seen).toEqual([])
  there.close()
  eve.close()
})

test('Eve, who has no account, reads the name and nothing else', async () => {
  const anonymous = (method: string, body?: string) =>
    fetch(`${parley.address}/api/workspace`, {
      method,
      headers: { origin: parley.address, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
  expect((await anonymous('PATCH', '{"name":"Eve"}')).status).toBe(401)
  expect(await (await fetch(`${parley.address}/api/auth/get-session`)).json()).toBeNull()
  expect(Object.keys(await ways()).sort()).toEqual(
    ['isEmpty', 'needsOwnerLink', 'password', 'provider', 'sendsMail', 'signUp', 'workspaceName'].sort(),
  )
})

test('mails come from the workspace by its name', async () => {
  await rename('Acme')
  await ada.post('/api/invites/mail', { emails: ['dan@example.com'] })
  const find = () => smtp.received.find(({ to }) => to === 'dan@example.com')
  await expect.poll(find, { timeout: STATE_TIMEOUT_MS }).toBeDefined()
  const mail = find()
  expect(mail?.header('From')).toBe('Acme <chat@example.com>')
  expect(mail?.header('Subject')).toBe('Ada invites you to Acme')
  expect(mail?.text).toContain('the team chat of Acme.\n')
  await rename('Acme, Inc.')
  await ada.post('/api/invites/mail', { emails: ['finn@example.com'] })
  const text = () => smtp.received.find(({ to }) => to === 'finn@example.com')?.text
  await expect.poll(text, { timeout: STATE_TIMEOUT_MS }).toContain('the team chat of Acme, Inc.\n')
})
