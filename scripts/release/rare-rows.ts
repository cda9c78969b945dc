import type { FastifyInstance } from 'fastify'
import { PASSWORD } from '../seed/people.ts'

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET'
interface Row {
  id: string
  username: string
  name: string
  code: string
}

/** Calls like a browser of somebody who signs in with the demo's password. */
async function signIn(app: FastifyInstance, username: string) {
  const payload = { username, password: PASSWORD }
  const { cookies } = await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  const cookie = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const { token } = (await app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  const headers = { authorization: `Bearer ${token}` }
  return async (method: Method, url: string, body?: object) => {
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    if (answer.statusCode >= 300) throw new Error(`${username}: ${method} ${url} answers ${answer.body}`)
    return answer.body === '' ? undefined : answer.json()
  }
}

/**
 * Adds to a seeded workspace what a week of messages doesn't have: guests, groups, invites, reports, holds, rules, roles, flags,
 * and what their owners and admins set.
 */
export async function addRareRows(app: FastifyInstance) {
  const [ada, bob] = await Promise.all([signIn(app, 'ada'), signIn(app, 'bob')])
  const people: Row[] = await ada('GET', '/api/users')
  const idOf = (username: string) => people.find((it) => it.username === username)?.id as string
  const { channels }: { channels: Row[] } = await ada('GET', '/api/channels')
  const [first, second, third] = channels as [Row, Row, Row]
  const others = people
    .filter(({ id, username }) => id !== 'assistant-bot' && !/^(ada|bob)$/.test(username))
    .slice(0, 6)
  const [carol, dan, erin] = others as [Row, Row, Row]

  await ada('POST', '/api/invites', {})
  const guests = { channelIds: [second.id], days: 30 }
  const { code }: Row = await ada('POST', '/api/invites', { guests })
  const guest = { name: 'Gus Guest', username: 'gus', email: 'gus@example.com', password: PASSWORD, invite: code }
  const signedUp = await app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload: guest })
  if (signedUp.statusCode !== 200) throw new Error(`The guest can't sign up: ${signedUp.body}`)
  const cooks: Row = await ada('POST', '/api/groups', { username: 'cooks', name: 'Cooks', userIds: [carol.id, dan.id] })
  await ada('POST', '/api/groups', { username: 'kitchen', name: 'Kitchen', groupIds: [cooks.id] })
  await ada('PUT', `/api/users/${idOf('bob')}/role`, { role: 'admin' })
  await ada('PUT', `/api/users/${dan.id}/mute`, { hours: 700 })
  await ada('PUT', `/api/users/${erin.id}/deactivation`)
  await ada('POST', `/api/users/${carol.id}/password-reset`)
  await ada('POST', '/api/provisioning-tokens', { name: 'Directory' })
  await ada('PATCH', '/api/workspace/permissions', { createGroups: ['owner', 'admin', 'member'] })
  await ada('PUT', '/api/workspace/profile-fields', { fields: [{ label: 'Desk' }] })
  await ada('PUT', '/api/retention', { days: 9000, channelId: third.id })
  await ada('POST', '/api/holds', { channelId: second.id, reason: 'A dispute' })
  const { id: message }: Row = await ada('POST', '/api/messages', {
    channelId: first.id,
    content: 'Reported *later* 🍲',
  })
  await bob('POST', `/api/messages/${message}/reports`, { reason: 'Rude' })
  await bob('PUT', `/api/blocks/${carol.id}`)
  await bob('PATCH', '/api/mail-rules', { digest: false })
  await bob('PUT', `/api/channels/${second.id}/favorite`)
  await bob('PUT', `/api/channels/${third.id}/mute`)
  const { id: closed }: Row = await ada('POST', '/api/channels', { name: 'closed-for-good' })
  await ada('PUT', `/api/channels/${closed}/archive`)
}
