import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const { db } = parley.app

const log = async (by: Person, query = ''): Promise<AuditEntry[]> =>
  (await by.get(`/api/audit?limit=100${query}`)).body.entries
const lines = async (by: Person, query = '') =>
  (await log(by, query)).map(({ kind, actor, person, channel }) =>
    [kind, actor?.username, person?.username, channel?.name].filter((it) => it !== undefined).join(' '),
  )
const setRole = (role: string, { id }: Person) => db.updateTable('users').set({ role }).where('id', '=', id).execute()
const channelOf = async (owner: Person, name: string, body: object = {}) =>
  (await owner.post('/api/channels', { name, ...body })).body as { id: string }

test('every act on a channel is logged: who, what, on what, from where', async () => {
  const { id } = await channelOf(ada, 'plans', { members: [bob.id] })
  await ada.patch(`/api/channels/${id}`, { name: 'plan' })
  await ada.patch(`/api/channels/${id}`, { topic: 'is no right' })
  await ada.post(`/api/channels/${id}/invite`, { userId: eve.id })
  await ada.post(`/api/channels/${id}/remove-member`, { userId: eve.id })
  await ada.patch(`/api/channels/${id}`, { ownerId: bob.id })
  await bob.patch(`/api/channels/${id}`, { isPrivate: true })
  await bob.patch(`/api/channels/${id}`, { isPrivate: false })
  await bob.delete(`/api/channels/${id}`)
  expect(await lines(olga, '&topic=channels')).toEqual([
    'channel_deleted bob plan',
    'channel_made_public bob plan',
    'channel_made_private bob plan',
    'channel_transferred ada bob plan',
    'member_removed ada eve plan',
    'member_added ada eve plan',
    'channel_renamed ada plan',
    'member_added ada bob plans',
    'channel_created ada plans',
    // The first person owns the workspace.
    'channel_transferred olga general',
  ])
  const [renamed] = await log(olga, '&kind=channel_renamed')
  expect(renamed).toMatchObject({ details: { from: 'plans' }, address: '127.0.0.1', device: expect.any(String) })
  expect(Date.parse((renamed as AuditEntry).at)).toBeGreaterThan(Date.now() - 60_000)
})

test('neither refused acts nor what members do for themselves are logged', async () => {
  const { id } = await channelOf(ada, 'mine')
  const before = await lines(olga)
  await eve.post(`/api/channels/${id}/join`)
  await eve.patch(`/api/channels/${id}`, { name: 'stolen' })
  await eve.delete(`/api/channels/${id}`)
  await ada.patch(`/api/channels/${id}`, { name: 'GENERAL' })
  await eve.post(`/api/channels/${id}/leave`)
  await eve.put(`/api/users/${bob.id}/deactivation`, {})
  await eve.post('/api/direct-messages', { userIds: [bob.id] })
  expect(await lines(olga)).toEqual(before)
})

test('acts on people, roles and invites are logged: joined, signed in, refused, deactivated, invited, revoked', async () => {
  const dan = await parley.person('dan')
  const signIn = (email: string, password: string) =>
    parley.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email, password },
      headers: { origin: 'http://localhost', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    })
  await signIn(dan.email, 'wrong horse')
  await signIn('hunter2@example.com', 'wrong horse')
  await signIn(dan.email, dan.password)
  await dan.delete('/api/sessions?except=current')
  const { body: invite } = await olga.post('/api/invites', { maxUses: 2 })
  await olga.delete(`/api/invites/${invite.id}`)
  await setRole('admin', dan)
  await olga.put(`/api/users/${dan.id}/deactivation`, {})
  await signIn(dan.email, dan.password)
  await olga.delete(`/api/users/${dan.id}/deactivation`)
  const all = await log(olga)
  const told = await lines(olga)
  expect(told.slice(0, told.indexOf('person_joined dan') + 1)).toEqual([
    'person_reactivated olga dan',
    'sign_in_refused dan',
    'person_deactivated olga dan',
    'role_changed dan',
    'invite_revoked olga olga',
    'invite_created olga',
    'sessions_ended dan',
    'signed_in dan',
    'sign_in_refused',
    'sign_in_refused dan',
    'signed_in dan',
    'person_joined dan',
  ])
  expect(all.find(({ kind }) => kind === 'sign_in_refused')).toMatchObject({ device: 'Firefox on Linux' })
  expect(all.find(({ kind }) => kind === 'role_changed')?.details).toEqual({ from: 'member', to: 'admin' })
  // Typed text may be a password in the wrong field, and the code of an invite is secret.
  for (const secret of ['hunter2', 'wrong horse', invite.code]) expect(JSON.stringify(all)).not.toContain(secret)
})

test('the name of a private channel is shown to the owner and its members, that of a direct message to nobody', async () => {
  const admin = await parley.person('root')
  await setRole('admin', admin)
  const { id } = await channelOf(ada, 'acquisition', { isPrivate: true, members: [bob.id] })
  await ada.patch(`/api/channels/${id}`, { name: 'takeover' })
  const said = await bob.say(id, 'the price is 7')
  await ada.delete(`/api/messages/${said.id}`)
  expect(await lines(olga, '&q=takeover')).toEqual(['message_deleted ada bob takeover', 'channel_renamed ada takeover'])
  const seen = JSON.stringify(await log(admin))
  for (const secret of ['acquisition', 'takeover', id, 'the price']) expect(seen).not.toContain(secret)
  expect(await log(admin, '&kind=channel_renamed&q=root')).toEqual([])
  for (const hidden of ['acquisition', 'takeover']) expect(await log(admin, `&q=${hidden}`)).toEqual([])
  expect((await log(olga)).map(({ channel }) => channel?.id)).not.toContain(id)
  await ada.post(`/api/channels/${id}/invite`, { userId: admin.id })
  expect(await lines(admin, '&q=takeover&kind=channel_renamed')).toEqual(['channel_renamed ada takeover'])

  const { body: direct } = await olga.post('/api/direct-messages', { userIds: [bob.id] })
  const written = await bob.say(direct.id, 'between us')
  await olga.delete(`/api/messages/${written.id}`)
  const [deleted] = await log(olga, '&kind=message_deleted')
  expect(deleted).toMatchObject({ channel: { kind: 'direct', name: null }, person: { id: bob.id }, details: {} })
})

test('members and outsiders read nothing', async () => {
  for (const url of ['/api/audit', '/api/audit/download?format=jsonl'])
    for (const person of [ada, eve]) {
      const refused = await person.get(url)
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
      expect(refused.body.entries).toBeUndefined()
    }
  for (const query of ['topic=nothing', 'after=yesterday', 'cursor=x', 'limit=1000', 'kind=A;drop'])
    expect(await olga.get(`/api/audit?${query}`)).toMatchObject({ status: 400, code: 'invalid' })
})

test('pages have no gaps, and filters apply to the download', async () => {
  const all = await log(olga)
  const paged: AuditEntry[] = []
  for (let cursor: number | null = null; ; ) {
    const { body } = await olga.get(`/api/audit?limit=7${cursor ? `&cursor=${cursor}` : ''}`)
    paged.push(...body.entries)
    cursor = body.next
    if (cursor === null) break
  }
  expect(paged.map(({ id }) => id).slice(0, all.length)).toEqual(all.map(({ id }) => id))
  expect(paged).toHaveLength((await db.selectFrom('audit_log').select('id').execute()).length)

  const download = (format: string, query = '') =>
    parley.app.inject({
      url: `/api/audit/download?format=${format}${query}`,
      headers: { authorization: `Bearer ${olga.token}` },
    })
  const file = await download('jsonl', `&person=${bob.id}&topic=channels`)
  const entries: AuditEntry[] = file.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries).toEqual(await log(olga, `&person=${bob.id}&topic=channels`))
  expect(entries.length).toBeGreaterThan(3)

  await channelOf(ada, '=cmd("x"), "quoted"')
  const csv = await download('csv', '&kind=channel_created')
  expect(csv.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
  expect(csv.body.split('\r\n')[0]).toContain('time,act,by')
  expect(csv.body).toContain(`"'=cmd(""x""), ""quoted"""`)
  // In countries with a decimal comma, a semicolon starts a new cell.
  await channelOf(ada, 'sums;=1+1;+2')
  expect((await download('csv', '&kind=channel_created')).body).toContain(",sums;'=1+1;'+2,")
  const later = new Date(Date.now() + 60_000).toISOString()
  expect(await log(olga, `&after=${later}`)).toEqual([])
  expect(await log(olga, `&before=${later}`)).toHaveLength(Math.min(100, paged.length + 5))
})

test('downloading the log is logged, checking whether it exists is not', async () => {
  const headers = { authorization: `Bearer ${olga.token}` }
  const before = (await lines(olga, '&kind=audit_downloaded')).length
  const asked = await parley.app.inject({ method: 'HEAD', url: '/api/audit/download?format=csv', headers })
  expect(asked.statusCode).toBe(200)
  expect(await lines(olga, '&kind=audit_downloaded')).toHaveLength(before)
  await parley.app.inject({ url: '/api/audit/download?format=csv', headers })
  expect((await log(olga, '&kind=audit_downloaded'))[0]).toMatchObject({
    actor: { id: olga.id },
    details: { format: 'csv' },
    address: '127.0.0.1',
  })
  expect((await bob.get('/api/audit/download?format=csv')).status).toBe(403)
  expect(await lines(olga, '&kind=audit_downloaded')).toHaveLength(before + 1)
})

test('the database refuses to change or remove a line', async () => {
  for (const change of [
    sql`update audit_log set "actorId" = 'nobody'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
    sql`truncate audit_log, channels cascade`,
  ])
    await expect(change.execute(db)).rejects.toThrow('the audit log is only added to')
})

test('if the line cannot be written, the act is rolled back', async () => {
  const { id } = await channelOf(ada, 'steadfast', { members: [bob.id] })
  await sql`alter table audit_log add constraint full_disk check (kind !~ 'renamed|removed|deactivated|revoked') not valid`.execute(
    db,
  )
  try {
    const { body: invite } = await olga.post('/api/invites', {})
    const acts = [
      ada.patch(`/api/channels/${id}`, { name: 'unsteady' }),
      ada.post(`/api/channels/${id}/remove-member`, { userId: bob.id }),
      olga.put(`/api/users/${bob.id}/deactivation`, {}),
      olga.delete(`/api/invites/${invite.id}`),
    ]
    expect((await Promise.all(acts)).map(({ status }) => status)).toEqual([500, 500, 500, 500])
    const { body: channel } = await ada.get(`/api/channels/${id}`)
    expect(channel).toMatchObject({ name: 'steadfast', _count: { members: 2 } })
    expect((await ada.get(`/api/users/${bob.id}`)).body.deactivatedAt).toBeNull()
    expect((await olga.get('/api/invites')).body.map((it: { id: string }) => it.id)).toContain(invite.id)
  } finally {
    await sql`alter table audit_log drop constraint full_disk`.execute(db)
  }
})
