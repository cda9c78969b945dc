import { expect, test, vi } from 'vitest'
import { ROOT, VERSION } from '../installation.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { commandToken } from './command-token.ts'

test('only who has the secret sees which version runs', async () => {
  const parley = await startParley()
  const ask = (authorization: string) =>
    fetch(`${parley.address}/healthz/version`, { headers: authorization ? { authorization } : {} })
  const [ada, eve] = [await parley.person('ada'), await parley.person('eve')]
  for (const token of ['', `Bearer ${ada.token}`, `Bearer ${eve.token}`, `Bearer ${commandToken('other')}`])
    expect([token, (await ask(token)).status]).toEqual([token, 404])

  vi.stubEnv('PARLEY_STARTED_AT', '1795928208173')
  vi.stubEnv('PARLEY_LAUNCHER', '/opt/parley/scripts/start.mjs')
  const answer = await ask(`Bearer ${commandToken(SECRET)}`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({ name: VERSION, home: ROOT, startedAt: 1795928208173, isLaunched: true })
  vi.unstubAllEnvs()
})
