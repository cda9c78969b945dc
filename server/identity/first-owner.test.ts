import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serve, startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'
import { ownerCodeOf, readEntry } from './workspace-entry.ts'

type Parley = Awaited<ReturnType<typeof startParley>>
interface From {
  remoteAddress?: string
  headers?: Record<string, string>
}

const codeOf = async ({ app }: Pick<Parley, 'app'>) => ownerCodeOf(await readEntry(app.db, app.config), app.secret)

/** Signs up from an address; by default one that is not this machine's. */
async function signUp({ app }: Pick<Parley, 'app'>, username: string, invite?: string, from: From = ELSEWHERE) {
  const payload = { name: username, username, email: `${username}@example.com`, password: 'correct horse', invite }
  const answer = await app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload, ...from })
  const { code, reason } = answer.json()
  return { status: answer.statusCode, ...(code && { code, reason }) }
}

const ELSEWHERE: From = { remoteAddress: '192.0.2.7' }
const REFUSED = { status: 403, code: 'OWNER_LINK_NEEDED', reason: 'ownerLinkNeeded' }

const roles = async ({ app }: Pick<Parley, 'app'>) => {
  const rows = await app.db.selectFrom('users').select(['username', 'role']).where('erasedAt', 'is', null).execute()
  return Object.fromEntries(rows.map(({ username, role }) => [username, role]))
}

test.each<[string, Record<string, string>, Record<string, From>]>([
  [
    'by default',
    {},
    {
      'another machine': ELSEWHERE,
      'a name that begins like this machine': { headers: { host: '127.0.0.1.example.com' } },
      'a name that begins with its number': { headers: { host: '127.example.com:3000' } },
      'a name of this machine': { headers: { host: 'chat.example.com' } },
      'its address on the network': { headers: { host: '192.168.1.5:3000' } },
      'a proxy on this machine': { headers: { 'x-forwarded-for': '127.0.0.1' } },
      'a proxy that names itself': { headers: { via: '1.1 cache' } },
      'a proxy that names the scheme': { headers: { 'x-forwarded-proto': 'https' } },
      'a tunnel': { headers: { 'cf-connecting-ip': '192.0.2.7' } },
    },
  ],
  ['with a public address', { PUBLIC_URL: 'https://chat.example.com' }, { 'this machine': {} }],
  ['behind a proxy', { TRUST_PROXY: 'loopback' }, { 'this machine': {} }],
])('%s, nobody elsewhere becomes the owner without the link', async (_, settings, places) => {
  const parley = await startParley(settings)
  const ownersCode = await codeOf(parley)
  for (const [place, from] of Object.entries(places))
    for (const code of [undefined, '', 'wrong', `${ownersCode}x`])
      expect([place, await signUp(parley, 'eve', code, from)]).toEqual([place, REFUSED])
  expect(await roles(parley)).not.toHaveProperty('eve')
  const [from = {}] = Object.values(places)
  expect(await signUp(parley, 'ada', ownersCode, from)).toEqual({ status: 200 })
  expect(await roles(parley)).toMatchObject({ ada: 'owner' })
})

test('a proxy that adds no headers is not taken for this machine', async () => {
  const parley = await startParley()
  const body = JSON.stringify({ name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'correct horse' })
  const line = await openRawConnection(parley.address)
  const head = ['POST /api/auth/sign-up/email HTTP/1.0', 'Host: localhost:3000', 'Content-Type: application/json']
  line.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  await line.closed
  expect(line.received()).toContain('OWNER_LINK_NEEDED')
  expect(await signUp(parley, 'ada', undefined, {})).toEqual({ status: 200 })
})

test('until the owner has chosen who may sign up, others need an invite', async () => {
  const parley = await startParley()
  expect(await signUp(parley, 'ada', undefined, {})).toEqual({ status: 200 })
  expect((await parley.app.inject('/api/auth/ways')).json()).toMatchObject({ signUp: 'invite' })
  expect(await signUp(parley, 'bob')).toMatchObject({ status: 403, code: 'INVITE_NEEDED' })
})

test('the link works once; with open sign-up, the next one who has it is a member', async () => {
  const parley = await startParley({ SIGNUP: 'open' })
  const code = await codeOf(parley)
  const isValid = async (code: unknown) => {
    const options = { method: 'POST', url: '/api/auth/owner-link/check', payload: { code }, ...ELSEWHERE } as const
    return (await parley.app.inject(options)).json().isValid
  }
  const ways = async () => (await parley.app.inject({ url: '/api/auth/ways', ...ELSEWHERE })).json()
  expect([await isValid(code), await isValid(`${code}x`), await isValid('')]).toEqual([true, false, false])
  expect(await ways()).toMatchObject({ isEmpty: true, needsOwnerLink: true })
  expect((await parley.app.inject('/api/auth/ways')).json()).toMatchObject({ isEmpty: true, needsOwnerLink: false })
  expect(await signUp(parley, 'ada', code)).toEqual({ status: 200 })
  expect(await isValid(code)).toBe(false)
  expect(await ways()).toMatchObject({ isEmpty: false, needsOwnerLink: false })
  expect(await signUp(parley, 'bob', code)).toEqual({ status: 200 })
  expect(await roles(parley)).toMatchObject({ ada: 'owner', bob: 'member' })
})

test.each(['invite', 'closed'])('with SIGNUP=%s the link admits one person and nobody else', async (SIGNUP) => {
  const parley = await startParley({ SIGNUP })
  const code = await codeOf(parley)
  const names = ['ada', 'bob', 'cyd', 'dan']
  const answers = await Promise.all(names.map((name) => signUp(parley, name, code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(Object.values(await roles(parley)).filter((role) => role === 'owner')).toHaveLength(1)
})

test('of many who use the link at once, one becomes the owner', async () => {
  const parley = await startParley({ SIGNUP: 'open' })
  const code = await codeOf(parley)
  const answers = await Promise.all(['ada', 'bob', 'cyd', 'dan'].map((name) => signUp(parley, name, code)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(Object.values(await roles(parley)).filter((role) => role === 'owner')).toHaveLength(1)
})

test('while the founder is signing up, nobody else becomes the owner', async () => {
  const parley = await startParley({ SIGNUP: 'open' })
  const { app } = parley
  const founder = { id: 'ada', username: 'ada', name: 'Ada', email: 'ada@example.com', isFounder: true }
  await app.db.insertInto('users').values(founder).execute()
  const eve = await parley.person('eve')
  expect(await roles(parley)).toMatchObject({ eve: 'member' })
  expect(await app.db.selectFrom('workspace').select('ownerId').executeTakeFirst()).toEqual({ ownerId: null })
  expect((await eve.get('/api/audit')).status).toBe(403)
})

test('the link is the same on every node, and differs in every workspace', async () => {
  const [one, other] = [await startParley(), await startParley()]
  const node = await serve(one.databaseUrl)
  // The databases of the tests are copies of one.
  await other.app.db.updateTable('workspace').set({ filesId: randomUUID() }).execute()
  expect(await codeOf(node)).toBe(await codeOf(one))
  expect(await codeOf(other)).not.toBe(await codeOf(one))
  expect(await signUp(node, 'eve', await codeOf(other))).toEqual(REFUSED)
  expect(await codeOf(one)).toMatch(/^[\w-]{22}$/)
})
