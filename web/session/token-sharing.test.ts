import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllGlobals())

/** Delivers late: other tabs get the lock before the token. */
class LateChannel extends globalThis.BroadcastChannel {
  override postMessage(message: unknown) {
    setTimeout(() => super.postMessage(message), 100)
  }
}

/** Opens a tab of Ada's, with its own modules but shared locks and channels. */
async function openTab() {
  vi.resetModules()
  const { renewBearer, setSessionUser } = await import('./session.ts')
  setSessionUser('ada')
  return { renew: renewBearer }
}

test('two tabs renew the token with one request, however late the second learns of it', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let requests = 0
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('BroadcastChannel', LateChannel)
  vi.stubGlobal('fetch', async () => {
    const turn = ++requests
    await answered
    const claims = btoa(JSON.stringify({ sub: 'ada', exp: Math.floor(Date.now() / 1000) + 3600, turn }))
    return Response.json({ token: `head.${claims}.sign` })
  })
  const [first, second] = [await openTab(), await openTab()]
  const renewals = Promise.all([first.renew(), second.renew()])
  await expect
    .poll(async () => (await navigator.locks.query()).pending?.map(({ name }) => name))
    .toEqual(['parley-token'])
  answer()
  const [mine, shared] = await renewals
  expect(shared).toBe(mine)
  expect(requests).toBe(1)
})
