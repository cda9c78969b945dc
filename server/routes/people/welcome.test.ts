import { expect, test } from 'vitest'
import { startParley } from '../../test/support/parley.ts'

test('the first steps reflect what a newcomer has done, and are dismissed on all of their devices only', async () => {
  const fresh = await startParley()
  const { ada } = await fresh.people('ada')
  const steps = async (of = ada) => (await of.get('/api/users/me/welcome')).body
  const sessionOf = async ({ cookie } = ada) =>
    (await fresh.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user
  expect(await steps()).toEqual({ hasWritten: false, hasJoined: false, hasCompany: false })
  expect(await sessionOf()).toMatchObject({ isWelcomed: false })

  // The owner's invite counts, and so does another person.
  await ada.post('/api/invites', {})
  expect(await steps()).toMatchObject({ hasCompany: true })
  const { bob } = await fresh.people('bob')
  expect(await steps(bob)).toEqual({ hasWritten: false, hasJoined: false, hasCompany: true })

  const { body: channel } = await bob.post('/api/channels', { name: 'launch' })
  expect(await steps(bob)).toMatchObject({ hasJoined: true, hasWritten: false })
  await bob.post('/api/messages', { channelId: channel.id, content: 'Hello', clientId: 'temp-1' })
  expect(await steps(bob)).toMatchObject({ hasWritten: false })
  const { channels } = (await bob.get('/api/channels')).body
  const general = channels.find((it: { isGeneral: boolean }) => it.isGeneral)
  await bob.post('/api/messages', { channelId: general.id, content: 'Hello', clientId: 'temp-2' })
  expect(await steps(bob)).toMatchObject({ hasJoined: true, hasWritten: true })
  expect(await steps()).toMatchObject({ hasJoined: false, hasWritten: false })

  expect((await bob.delete('/api/users/me/welcome')).status).toBe(204)
  expect((await bob.delete('/api/users/me/welcome')).status).toBe(204)
  expect(await sessionOf(bob)).toMatchObject({ isWelcomed: true })
  expect(await sessionOf()).toMatchObject({ isWelcomed: false })
})
