import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { type Balancer, startBalancer } from '../../server/test/services/balancers.ts'
import { signUpOwner } from '../support/accounts.ts'
import { callApi, composer, expect, message, say, test, userOn } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { row } from '../support/sidebar.ts'
import { createSharedChannel } from '../support/threads.ts'

const METRICS_TOKEN = 'a-token-for-those-who-watch'

type Node = Awaited<ReturnType<typeof startServer>>
let balancer: Balancer | undefined
let nodes: [Node, Node]
let end = async () => {}

test.beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-nodes-'))
  const postgres = await startEmbeddedPostgres({ dataDir, password: 'test', log: () => {} })
  // Long enough for the balancer to notice a stopping node.
  const settings = {
    DATABASE_URL: postgres.url,
    DATA_DIR: join(dataDir, 'nodes'),
    TRUST_PROXY: 'loopback',
    METRICS_TOKEN,
    DRAIN: '25',
  }
  nodes = [await startServer(settings), await startServer(settings)]
  await signUpOwner(nodes[0].address, nodes[0].ownerLink.split('#')[1])
  balancer = await startBalancer('haproxy', [nodes[0].port, nodes[1].port])
  end = async () => {
    await balancer?.stop()
    for (const node of nodes) await node.remove()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
test.afterAll(() => end())

/** Opens the page again on one of the nodes; the balancer keeps it there. */
async function moveTo(node: 'a' | 'b', page: Page) {
  await page.context().addCookies([{ name: 'node', value: node, url: (balancer as Balancer).address }])
  await page.reload()
  await expect(composer(page)).toBeVisible()
}

async function socketsOf({ address }: Node) {
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return [...(await answer.text()).matchAll(/^parley_sockets\{.*} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

const typing = (page: Page) => page.getByText(/ is typing$/)

test('people on two nodes share everything, and a node that stops takes nothing with it', { tag: '@long' }, async ({
  browser,
  person,
}) => {
  // `startBalancer` has reported that.
  test.skip(!balancer, 'HAProxy is not installed')
  test.slow()
  const { address } = balancer as Balancer
  const ada = await person('Ada Lovelace', { address })
  const bob = await person('Bob Kahn', { address })
  const channelId = await createSharedChannel(ada, bob)
  await moveTo('a', ada)
  await moveTo('b', bob)
  // Bob's phone is on Ada's node.
  const storageState = await bob.context().storageState()
  const phone = await (await browser.newContext({ baseURL: address, storageState })).newPage()
  await phone.goto('/')
  await moveTo('a', phone)
  await expect.poll(() => Promise.all(nodes.map(socketsOf))).toEqual([2, 1])

  await expect(async () => {
    await composer(ada).pressSequentially('w')
    await expect(typing(bob)).toHaveText('Ada Lovelace is typing', { timeout: 2000 })
  }).toPass()
  await composer(ada).fill('')
  await say(ada, 'from one node')
  await expect(message(bob, 'from one node')).toBeVisible()
  await say(bob, 'from the other')
  await expect(message(ada, 'from the other')).toBeVisible()

  const { id } = await userOn(bob)
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await callApi(ada, 'POST', '/api/messages', { channelId: direct.id, content: 'psst' })
  await expect(row(ada, 'Bob Kahn')).not.toContainText('offline')
  for (const device of [bob, phone]) await expect(row(device, 'Ada Lovelace')).toContainText('1 unread')
  await row(bob, 'Ada Lovelace').click()
  await expect(message(bob, 'psst')).toBeVisible()
  for (const device of [bob, phone]) await expect(row(device, 'Ada Lovelace')).not.toContainText('unread')
  await bob.goto(`/channels/${channelId}`)
  await expect(composer(bob)).toBeVisible()

  const stopping = nodes[1].stop()
  for (let n = 1; n <= 5; n++) {
    await say(bob, `while it stops ${n}`)
    await expect(message(ada, `while it stops ${n}`)).toBeVisible()
  }
  await expect.poll(() => socketsOf(nodes[0]), { timeout: 60_000 }).toBe(3)
  await composer(bob).fill('half written')
  await stopping
  await expect(composer(bob)).toHaveValue('half written')
  await say(bob, 'it has stopped')
  await expect(message(ada, 'it has stopped')).toBeVisible()
  await expect(row(ada, 'Bob Kahn')).not.toContainText('offline')
  await expect(message(bob, 'Waiting to send')).toHaveCount(0)
  await phone.context().close()
})
