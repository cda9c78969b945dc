import { MutationObserver, notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Role } from '#contract/roles'
import { startParley } from '../../server/test/support/parley.ts'
import { permissionChange, permissionTable, showChange } from '../../web/features/permissions/permission-queries.ts'
import { fetchMe, setSessionUser } from '../../web/session/session.ts'

afterEach(() => void vi.unstubAllGlobals())

test('a change of permissions stays while an older response arrives, before the change is stored or after', async () => {
  const { stored, holdOlder } = await startTable()
  const client = new QueryClient()
  const table = new QueryObserver(client, permissionTable)
  const current = () => table.getCurrentResult().data?.mentionChannel
  const seen: (readonly Role[] | undefined)[] = []
  // The values that React sees.
  const forget = table.subscribe(notifyManager.batchCalls(() => void seen.push(current())))
  await expect.poll(current).toEqual(await stored())

  for (const isStoredFirst of [false, true]) {
    const given: Role[] = isStoredFirst ? ['owner', 'admin'] : ['owner', 'admin', 'member', 'guest']
    expect(await stored()).not.toEqual(given)
    const release = await holdOlder(() => void table.refetch())
    seen.length = 0
    const change = { permission: 'mentionChannel' as const, given }
    showChange(client, change)
    expect(current()).toEqual(given)
    const changed = new MutationObserver(client, permissionChange(client)).mutate(change)
    if (isStoredFirst) await changed
    release()
    await changed
    await expect.poll(() => client.isFetching()).toBe(0)
    expect(current()).toEqual(given)
    for (const roles of seen) expect(roles).toEqual(given)
    expect(await stored()).toEqual(given)
  }
  forget()
})

/** A server owned by Olga. Requests through `web/` are hers. */
async function startTable() {
  const parley = await startParley()
  const olga = await parley.person('olga')
  const realFetch = globalThis.fetch
  let held: Promise<void> | undefined
  let arrived: (() => void) | undefined
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    // Browsers add the origin and the cookie automatically.
    const headers = { ...(init.headers as Record<string, string>), cookie: olga.cookie, origin: parley.address }
    const response = await realFetch(`${parley.address}${path}`, { ...init, headers })
    if (init.method === 'GET' && path === '/api/workspace/permissions') {
      arrived?.()
      await held
    }
    return response
  })
  setSessionUser((await fetchMe())?.id)
  return {
    stored: async (): Promise<Role[]> => (await olga.get('/api/workspace/permissions')).body.mentionChannel,
    /** Requests the table, and holds back the response until released. */
    async holdOlder(ask: () => void) {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      await new Promise<void>((resolve) => {
        arrived = resolve
        ask()
      })
      held = undefined
      return release
    },
  }
}
