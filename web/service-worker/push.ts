// Shows what the server pushes while Parley is closed, and opens it. docs/decisions/0060-web-push.md

import { setAppBadge } from '../browser/app-badge.ts'
import { noteOpened } from '../ui/device/opened-push.ts'
import type { PushMessage } from '../ui/device/push-messages.ts'
import { pushOwner, unsubscribe } from '../ui/device/push-owner.ts'
import { badgeIn, closedBy, neutral, recipientOf, shownOf } from './push-content.ts'

declare const self: ServiceWorkerGlobalScope

/** How long a page has to answer. Browsers may have suspended it. */
const ANSWER_TIMEOUT_MS = 500

/** Always shows a notification: browsers take the permission from pages that don't. */
export async function showPush({ data }: PushEvent) {
  const pushed = readJson(data)
  const isOwners = await isForOwner(pushed)
  const { title, options } = isOwners ? shownOf(pushed, Date.now()) : neutral(Date.now())
  const tag = options.tag ?? ''
  const isShownByPage = await someAnswers({ kind: 'push: arriving', tag })
  await self.registration.showNotification(title, { ...options, silent: isShownByPage })
  for (const page of await pages()) post(page, { kind: 'push: shown', tag })
  await close(closedBy(pushed))
  // An awake page sets it by itself. A dot if the notification is of something that isn't counted.
  if (isOwners && !(await isPageAwake())) setAppBadge(badgeIn(pushed) || undefined)
}

async function close(tags: readonly string[]) {
  if (tags.length === 0) return
  for (const notification of await self.registration.getNotifications())
    if (tags.includes(notification.tag)) notification.close()
}

function readJson(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch (error) {
    console.warn('A push was not understood:', error)
    return undefined
  }
}

/** Whether a push is for the person at this browser. If they have left, and it could not be unsubscribed then, it is now. */
async function isForOwner(pushed: unknown): Promise<boolean> {
  try {
    const owner = await pushOwner()
    if (owner === undefined) await unsubscribe(self.registration)
    return owner !== undefined && owner === recipientOf(pushed)
  } catch (error) {
    console.warn('Failed to find out whose notification it is:', error)
    return false
  }
}

/** Opens what a notification leads to, in a window of Parley if there is one. */
export async function openNotification(notification: Notification, path: string) {
  notification.close()
  await noteOpened(notification.data).catch((error) => console.warn('Failed to note what was opened:', error))
  const page = bestOf(await pages())
  if (!page) return void (await self.clients.openWindow(path))
  // First, because browsers allow it only shortly after a click.
  const focused = await page.focus().catch(() => page)
  if (await answerOf(focused, { kind: 'push: open', path })) return undefined
  // The page can't navigate by itself, for example because nobody is signed in there.
  await focused.navigate(path).catch(() => self.clients.openWindow(path))
}

/** Tells the pages that the browser ended or replaced the subscription. One that opens later finds out. */
export async function tellChanged() {
  for (const page of await pages()) post(page, { kind: 'push: changed' })
}

/** The windows that show Parley, not a file or the description of the API. */
async function pages(): Promise<WindowClient[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url, frameType }) => frameType !== 'nested' && !new URL(url).pathname.startsWith('/api/'))
}

/** The one that has the focus or is visible; otherwise the last one that had the focus. */
export const bestOf = <T extends Pick<WindowClient, 'focused' | 'visibilityState'>>(all: readonly T[]): T | undefined =>
  all.find(({ focused }) => focused) ?? all.find(({ visibilityState }) => visibilityState === 'visible') ?? all[0]

const post = (page: WindowClient, message: PushMessage, ports: MessagePort[] = []) => page.postMessage(message, ports)

/** A page's answer; false without one. */
function answerOf(page: WindowClient, message: PushMessage): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
    port1.onmessage = ({ data }) => resolve(data === true)
    post(page, message, [port2])
  })
}

/** Whether a page shows what happens by itself: it is open for a signed-in person, and the browser has not suspended it. */
export const isPageAwake = () => someAnswers({ kind: 'push: awake' })

async function someAnswers(message: PushMessage): Promise<boolean> {
  const answers = await Promise.all((await pages()).map((page) => answerOf(page, message)))
  return answers.includes(true)
}
