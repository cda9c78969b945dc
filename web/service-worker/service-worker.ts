// Opens Parley without a network, and shows notifications while it is closed. docs/decisions/0059-app.md
import { pushOwner } from '../ui/device/push-owner.ts'
import { actOn, SEND_REPLIES } from './notification-acts.ts'
import { showPush, tellChanged } from './push.ts'
import { sendStored } from './reply-outbox.ts'
import { takeShare } from './shares.ts'
import { answerFile, answerPage, answerPicture, installShell, isPicture, removeOldShells } from './shell.ts'

declare const self: ServiceWorkerGlobalScope

interface RoutingEvent extends ExtendableEvent {
  /** Not in all browsers. */
  addRoutes?(routes: { condition: { urlPattern: { pathname: string } }; source: 'network' }[]): Promise<void>
}

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([installShell(), passCalls(event)]))
  // A worker serves pages of any build, so it need not wait for those of an earlier one to close.
  void self.skipWaiting()
})

/** Lets calls pass without waiting for this worker to start. */
async function passCalls(event: RoutingEvent) {
  const patterns = ['/api/*', '/socket.io/*']
  try {
    await event.addRoutes?.(
      patterns.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' as const })),
    )
  } catch (error) {
    console.warn('The browser refused the routes for calls:', error)
  }
}

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([removeOldShells(), self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin || isCall(pathname)) return
  if (request.method === 'POST' && pathname === '/share') event.respondWith(takeShare(request))
  if (request.method !== 'GET') return
  if (pathname.startsWith('/assets/')) event.respondWith(answerFile(event, pathname))
  else if (isPicture(pathname)) event.respondWith(answerPicture(event, pathname))
  else if (request.mode === 'navigate' && !isOtherFile(pathname)) event.respondWith(answerPage(event))
})

self.addEventListener('push', (event) => event.waitUntil(showPush(event)))
self.addEventListener('notificationclick', (event) => event.waitUntil(actOn(event)))
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(tellChanged()))

// There is a network again.
self.addEventListener('sync' as 'message', (event: ExtendableEvent & { tag?: string }) => {
  if (event.tag === SEND_REPLIES) event.waitUntil(sendKept())
})

/** @throws Error if something is left, so that the browser tries it again */
async function sendKept() {
  const person = await pushOwner()
  if (person !== undefined && (await sendStored(person))) throw new Error('Replies are left')
}

const isCall = (path: string) => /^\/(api|socket\.io)\//.test(path)

/** For example the manifest. Addresses of pages have no ending. */
const isOtherFile = (path: string) => /\.\w+$/.test(path)
