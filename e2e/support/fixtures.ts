import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { BUSY, newAccount, ownerAccount, signUpOwner } from './accounts.ts'
import { startProxy, startServer } from './server.ts'

/** SLOW=4 runs the journeys with the CPU throttled to a quarter. */
const SLOWDOWN = Number(process.env['SLOW'] ?? 1)

type Server = Awaited<ReturnType<typeof startServer>>
/**
 * `byForm` fills in the sign-up page; otherwise the account is created through the API.
 * `isNew` keeps the first steps that newcomers see above the composer.
 * `open: false` leaves the page empty, for people who only use the API: loading the workspace takes most of a test's time.
 */
type Options = BrowserContextOptions & { address?: string; byForm?: boolean; isNew?: boolean; open?: boolean }

export interface Fixtures {
  /** Signs up a new person in a separate browser and opens the workspace. */
  person: (name: string, options?: Options) => Promise<Page>
  /**
   * The owner of the server that a worker's tests share, signed in, on an empty page. For tests that leave the workspace
   * unchanged, this avoids a separate server, which costs more than a journey.
   */
  owner: Page
  /** A network connection to the server that the test can cut. */
  network: Awaited<ReturnType<typeof startProxy>>
}

/** The tests of a worker share one server; unique names of people and channels keep them apart. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await startServer()
      await signUpOwner(server.address)
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.address),
  owner: async ({ browser, server }, use) => {
    const context = await newContext(browser, { baseURL: server.address })
    const page = await context.newPage()
    const { username, password } = ownerAccount
    const signIn = { data: { username, password }, headers: { origin: server.address } }
    expect((await page.request.post('/api/auth/sign-in/username', signIn)).status()).toBe(200)
    await use(page)
    await context.close()
  },
  network: async ({ server }, use) => {
    const network = await startProxy(server.port)
    await use(network)
    network.close()
  },
  person: async ({ browser, server }, use) => {
    const pages: Page[] = []
    await use(async (name, options) => {
      const page = await signUp(browser, server.address, name, options)
      pages.push(page)
      return page
    })
    await Promise.all(pages.map((page) => page.context().close()))
    await Promise.all(created.splice(0).map((channel) => remove(server.address, channel)))
  },
})

/** The channels of the current test, deleted afterwards because their rows would slow down every later page. */
const created: { id: string; token: string }[] = []

/** Fails silently if the channel is gone or its owner has signed out. */
const remove = (address: string, { id, token }: (typeof created)[number]) =>
  fetch(`${address}/api/channels/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })

/** The owner's page on a test's own new server, as its first person. The test closes it. */
export const openAsOwner = (browser: Browser, address: string) => signUp(browser, address, 'Olga Owner', { address })

async function signUp(browser: Browser, server: string, name: string, options: Options = {}) {
  const { address = server, byForm = false, open = true, isNew = false, ...rest } = options
  const context = await newContext(browser, { baseURL: address, ...rest })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  if (byForm) await fillForm(page, newAccount(name))
  else {
    const post = () =>
      page.request.post('/api/auth/sign-up/email', { data: newAccount(name), headers: { origin: address } })
    let answer = await post()
    while (answer.status() === BUSY) answer = await post()
    expect(answer.status()).toBe(200)
    if (!isNew) await skipFirstScreens(page)
    if (!open) return page
    await page.goto('/')
  }
  await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
  expect(errors).toEqual([])
  return page
}

/** The screen that only the owner sees, and the first steps of everybody. */
async function skipFirstScreens(page: Page) {
  const { user } = await (await page.request.get('/api/auth/get-session')).json()
  if (user.needsSetUp) await callApi(page, 'POST', '/api/workspace/set-up', {})
  await callApi(page, 'DELETE', '/api/users/me/welcome')
}

async function newContext(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext(options)
  if (SLOWDOWN > 1) context.on('page', slowDown)
  return context
}

/** Throttles the CPU of a page, as on an old phone. */
async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}

async function fillForm(page: Page, account: ReturnType<typeof newAccount>) {
  await page.goto('/sign-up')
  await page.getByLabel('Name', { exact: true }).fill(account.name)
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

interface NewChannel {
  isPrivate?: boolean
  /** Fills in the dialog; otherwise the channel is created through the API. */
  byForm?: boolean
}

/** Creates a channel, shows it if the page is open, and returns its id. */
export async function createChannel(page: Page, name: string, { isPrivate = false, byForm = false }: NewChannel = {}) {
  if (byForm) await fillChannelForm(page, name, isPrivate)
  const { id } = byForm ? { id: channelIdOn(page) } : await callApi(page, 'POST', '/api/channels', { name, isPrivate })
  created.push({ id, token: await tokenOf(page) })
  if (!byForm) await showChannel(page, id, name)
  return id as string
}

/** Creates a channel by the dialog. It is not deleted after the test. */
export async function fillChannelForm(page: Page, name: string, isPrivate = false) {
  await showSidebar(page)
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  if (isPrivate) await page.getByRole('checkbox', { name: 'Private' }).check()
  await page.getByRole('button', { name: 'Create Channel' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** Opens a channel from the sidebar, which is faster than loading it; no-op if the page is not open. */
export async function showChannel(page: Page, id: string, name: string) {
  if (!isOpen(page)) return
  await showSidebar(page)
  await page.locator(`nav a[href="/channels/${id}"]`).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** Opens #general from the sidebar. This leaves the previous conversation, so that messages arriving there stay unread. */
export async function openGeneral(page: Page) {
  await page.getByRole('link', { name: /^general/ }).click()
  await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
}

/** Whether a page shows the workspace. */
export const isOpen = (page: Page) => page.url() !== 'about:blank'

async function showSidebar(page: Page) {
  const button = page.getByRole('button', { name: 'Show channels' })
  if (await button.isVisible()) await button.click()
}

export const composer = (page: Page) => page.getByPlaceholder('Type a message...')

export async function say(page: Page, text: string) {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Opens the same page in another tab of the same browser. */
export async function openTab(page: Page) {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(composer(other)).toBeVisible()
  return other
}

/** The texts of the messages on the page, from top to bottom. */
export const messageTexts = (page: Page) => page.getByRole('article').locator('.prose').allInnerTexts()

export const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

/** Tokens are valid for an hour. */
const TOKEN_KEPT_MS = 30 * 60_000
const tokens = new WeakMap<Page, { token: Promise<string>; at: number }>()

/** The bearer token of a page's user. */
export function tokenOf(page: Page): Promise<string> {
  const kept = tokens.get(page)
  if (kept && Date.now() - kept.at < TOKEN_KEPT_MS) return kept.token
  const token = page.request.get('/api/auth/token').then(async (it) => (await it.json()).token)
  tokens.set(page, { token, at: Date.now() })
  return token
}

/** Sends messages through the API, one after the other, to the channel of the given address. */
export async function sendMessages(page: Page, lines: string[], address = page.url()) {
  const token = await tokenOf(page)
  const channelId = new URL(address).pathname.split('/').at(-1)
  for (const content of lines) {
    const headers = { authorization: `Bearer ${token}` }
    const sent = await page.request.post('/api/messages', { headers, data: { channelId, content } })
    expect(sent.status()).toBe(201)
  }
}

/** Calls the API as a page's user; fails unless the response is a success. */
export async function callApi(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
) {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` }
  const answer = await page.request.fetch(path, { method, headers, ...(data && { data }) })
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true)
  return answer.status() === 204 ? undefined : answer.json()
}

/** The signed-in user of a page. */
export const userOn = async (page: Page): Promise<{ id: string; name: string; username: string }> =>
  (await (await page.request.get('/api/auth/get-session')).json()).user

/** The id of the channel shown by a page. */
export const channelIdOn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) as string

/** Invites the other page's user to a channel. */
export const invite = async (owner: Page, other: Page, channelId = channelIdOn(owner)) =>
  callApi(owner, 'POST', `/api/channels/${channelId}/invite`, { userId: (await userOn(other)).id })

export const removeMember = async (owner: Page, other: Page, channelId = channelIdOn(owner)) =>
  callApi(owner, 'POST', `/api/channels/${channelId}/remove-member`, { userId: (await userOn(other)).id })

/** The texts of a channel's messages in the database, oldest first. */
export const storedTexts = async (page: Page, channelId = channelIdOn(page)) =>
  ((await callApi(page, 'GET', `/api/messages/channel/${channelId}`)) as { content: string }[]).map((it) => it.content)

/** Creates a private channel with a second member, shows it to both, and returns its id. */
export async function createPrivateChannel(owner: Page, other: Page, name: string) {
  const id = await createChannel(owner, name, { isPrivate: true })
  await invite(owner, other, id)
  await showChannel(other, id, name)
  await expect(composer(other)).toBeVisible()
  return id
}

/**
 * Signs up many people without browsers, and returns their ids. One after the other: hashing a password is slow, and a busy
 * server rejects some of many concurrent sign-ups.
 */
export async function signUpMany(page: Page, size: number): Promise<string[]> {
  const { origin } = new URL(page.url())
  const ids: string[] = []
  while (ids.length < size) {
    const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ ...newAccount('crowd'), name: `Crowd ${ids.length}` }),
    })
    if (answer.status === BUSY) continue
    expect(answer.status).toBe(200)
    ids.push((await answer.json()).user.id)
  }
  return ids
}

export { signUpOwner, uniqueName } from './accounts.ts'
export { expect }
