import type { CDPSession, Page, Worker } from '@playwright/test'
import type { startPushService } from '../../server/test/support/push-service.ts'
import { expect } from './fixtures.ts'

type PushService = Awaited<ReturnType<typeof startPushService>>

/** A notification that the service worker shows. */
export interface ShownPush {
  title: string
  body?: string
  tag?: string
  data?: { path: string }
  actions?: { action: string; type: string; title: string }[]
}

interface BrowserSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  key: string
}

declare global {
  interface Window {
    pushBrowser: (
      action: 'get' | 'subscribe' | 'unsubscribe' | 'grant',
      key?: string,
    ) => Promise<BrowserSubscription | null>
    shownPushes: (closed?: string) => Promise<ShownPush[]>
  }
}

interface WorkerScope {
  shown: Map<string, ShownPush>
  /** The numbers of the app's badge. */
  badges: (number | undefined)[]
  registration: { showNotification: unknown; getNotifications: unknown }
  dispatchEvent: (event: Event) => boolean
}

/** Replaces what a page can't have in tests: the browser's own subscription needs the service of its vendor. */
function replacePush(permission: NotificationPermission) {
  const base64url = (buffer: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/[+/=]/g, (it) => ({ '+': '-', '/': '_' })[it] ?? '')
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0)).buffer
  const subscriptionOf = (its: BrowserSubscription | null) =>
    its && {
      endpoint: its.endpoint,
      options: { applicationServerKey: bytes(its.key) },
      toJSON: () => ({ endpoint: its.endpoint, keys: its.keys }),
      unsubscribe: async () => (await window.pushBrowser('unsubscribe')) === null,
    }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => subscriptionOf(await window.pushBrowser('get')),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) =>
      subscriptionOf(await window.pushBrowser('subscribe', base64url(applicationServerKey.slice().buffer))),
  })
  ServiceWorkerRegistration.prototype.getNotifications = async () =>
    (await window.shownPushes()).map(
      (its) => ({ ...its, close: () => void window.shownPushes(its.tag) }) as unknown as Notification,
    )
  class Page extends EventTarget {
    static permission = permission
    static requestPermission = async () => {
      Page.permission = 'granted'
      // For further pages.
      await window.pushBrowser('grant')
      return 'granted'
    }
    close() {}
  }
  Object.defineProperty(window, 'Notification', { value: Page })
}

/**
 * Lets the browser of a page subscribe at a push service on loopback, which delivers to its service worker. Chromium's own
 * notifications don't work without a screen, so they are recorded.
 */
export async function connectPushService(
  page: Page,
  service: PushService,
  permission: NotificationPermission = 'default',
) {
  const context = page.context()
  let subscription: BrowserSubscription | null = null
  const findWorker = () => context.serviceWorkers().find((worker) => worker.url().endsWith('/service-worker.js'))
  const shown = async (closed?: string) => {
    const inWorker = (tag: string | undefined) => {
      const { shown } = globalThis as unknown as WorkerScope
      if (tag) shown?.delete(tag)
      return [...(shown?.values() ?? [])]
    }
    return (await findWorker()?.evaluate(inWorker, closed)) ?? []
  }
  await context.exposeFunction('shownPushes', shown)
  await context.exposeFunction('pushBrowser', async (action: string, key = '') => {
    if (action === 'grant') await context.addInitScript(grant)
    if (action === 'unsubscribe' && subscription) service.unsubscribe(subscription.endpoint)
    if (action === 'unsubscribe') subscription = null
    if (action === 'subscribe') subscription ??= { ...service.subscribe(key), key }
    return subscription
  })
  await context.addInitScript(replacePush, permission)
  const deliver = await createDelivery(await context.newPage(), page)
  let delivered = 0
  const timer = setInterval(() => {
    for (const { endpoint, payload } of service.received.slice(delivered))
      if (endpoint === subscription?.endpoint) void deliver(payload)
    delivered = service.received.length
  }, 50)
  context.on('close', () => clearInterval(timer))
  return {
    subscription: () => subscription,
    /** As if the browser had lost it. */
    lose: () => {
      subscription = null
    },
    shown: () => shown(),
    deliver,
    /** @param reply what is written in the notification */
    click: async (tag: string, action = '', reply?: string) =>
      void (await findWorker()?.evaluate(clickInWorker, { tag, action, reply })),
    /** As the browser does when there is a network again. */
    sync: async () => void (await findWorker()?.evaluate(syncInWorker)),
    /** As where the browser forbids databases. */
    forbidDatabases: async () => void (await findWorker()?.evaluate(forbidInWorker)),
    badges: () => findWorker()?.evaluate(() => (globalThis as unknown as WorkerScope).badges),
    /** Records what the worker shows, once it runs. */
    record: async () => {
      await expect.poll(() => findWorker() !== undefined).toBe(true)
      await (findWorker() as Worker).evaluate(recordInWorker)
    },
  }
}

const grant = () => Object.assign(window.Notification, { permission: 'granted' })

/** Delivers to the service worker, by the browser's tools on a page that stays open. */
async function createDelivery(tools: Page, page: Page) {
  const session: CDPSession = await tools.context().newCDPSession(tools)
  let registrationId: string | undefined
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId
  })
  await session.send('ServiceWorker.enable')
  return async (data: string) => {
    const { origin } = new URL(page.url())
    if (!registrationId) throw new Error('There is no service worker')
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

function recordInWorker() {
  const scope = globalThis as unknown as WorkerScope
  scope.shown ??= new Map()
  scope.badges ??= []
  Object.assign(navigator, { setAppBadge: async (count?: number) => void scope.badges.push(count) })
  scope.registration.showNotification = async (title: string, { body, tag, data, actions }: Omit<ShownPush, 'title'>) =>
    void scope.shown.set(tag ?? '', { title, body, tag, data, actions } as ShownPush)
  scope.registration.getNotifications = async () =>
    [...scope.shown.values()].map((its) => ({ ...its, close: () => scope.shown.delete(its.tag ?? '') }))
}

function syncInWorker() {
  const scope = globalThis as unknown as WorkerScope
  scope.dispatchEvent(Object.assign(new Event('sync'), { tag: 'parley replies', waitUntil: () => {} }))
}

function forbidInWorker() {
  IDBFactory.prototype.open = () => {
    throw new DOMException('Forbidden', 'SecurityError')
  }
}

function clickInWorker({ tag, action, reply }: { tag: string; action: string; reply: string | undefined }) {
  const scope = globalThis as unknown as WorkerScope
  const notification = { ...scope.shown.get(tag), close: () => void scope.shown.delete(tag) }
  const event = { notification, action, reply, waitUntil: () => {} }
  scope.dispatchEvent(Object.assign(new Event('notificationclick'), event))
}
