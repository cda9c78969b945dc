import { getPush, type PushSettings, subscribeToPush, unsubscribeFromPush } from '#contract/push'
import { call } from '../../../api-client/api.ts'
import { mayStoreFor, tabLocks } from '../../../ui/device/local-storage.ts'
import { endPush, pushOwner, setPushOwner } from '../../../ui/device/push-owner.ts'
import { enableNotifications, notificationState } from '../permission.ts'
import { browserSubscription, hasKey, subscribeBrowser } from './browser-subscription.ts'
import { type PushMemory, readPushMemory, savePushMemory } from './push-memory.ts'

/**
 * Notifies this browser while Parley is closed. Call it only after a click: the browser may ask for its permission.
 * @returns whether the permission was given
 */
export async function turnOnPush(me: string, publicKey: string, hidesText = false): Promise<boolean> {
  await enableNotifications()
  if (notificationState() !== 'on') return false
  await register(me, { publicKey, hidesText, isFresh: false })
  return true
}

/** One of both is enough: a server that can't be reached now learns of it from the push service. */
export async function turnOffPush(me: string) {
  savePushMemory(me)
  const [atServer, here] = await Promise.allSettled([call(unsubscribeFromPush, {}), endPush()])
  if (atServer.status === 'rejected') console.warn('Failed to unsubscribe at the server:', atServer.reason)
  if (here.status === 'rejected') console.warn('Failed to unsubscribe this browser:', here.reason)
  if (atServer.status === 'rejected' && here.status === 'rejected') throw atServer.reason
}

interface Registration {
  publicKey: string
  hidesText: boolean
  isFresh: boolean
}

async function register(me: string, { publicKey, hidesText, isFresh }: Registration) {
  // What waits for a person who was here before must not arrive.
  const isMine = (await pushOwner().catch(() => undefined)) === me
  const subscription = await subscribeBrowser(publicKey, isFresh || !isMine)
  const { endpoint } = subscription
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  // Before the first notification can arrive.
  await setPushOwner(me)
  try {
    await call(subscribeToPush, { body: { endpoint, keys: { p256dh, auth }, publicKey, hidesText } })
    if (!savePushMemory(me, { endpoint, hidesText })) throw new Error('The browser has no room left')
  } catch (error) {
    if (!readPushMemory(me)) await turnOffPush(me).catch(() => {})
    throw error
  }
  // Signed out meanwhile, in another tab.
  if (!mayStoreFor(me)) await endPush()
}

interface Facts {
  /** Whether the service worker knows that it may show their notifications. */
  isNoted: boolean
  memory: PushMemory | undefined
  /** The browser's subscription, and whether it is for the server's key of today. */
  subscription: { endpoint: string; hasKey: boolean } | null
  settings: Pick<PushSettings, 'mode' | 'devices'>
}

/**
 * What to do so that this browser is notified as its person chose. `renew`: subscribe anew; `register`: tell the server of the
 * subscription that the browser has.
 */
export function repairOf({ memory, isNoted, subscription, settings }: Facts): 'renew' | 'register' | null {
  if (!memory || settings.mode === 'off') return null
  const device = settings.devices.find(({ isCurrent }) => isCurrent)
  // The server drops a subscription when the push service doesn't know it any more.
  if (!subscription?.hasKey || !device?.isValid || !isNoted) return 'renew'
  return subscription.endpoint === memory.endpoint ? null : 'register'
}

/** Brings the browser and the server in line with what its person chose here. Without a choice it does nothing. */
export async function mendPush(me: string): Promise<void> {
  if (!readPushMemory(me)) return
  // Two tabs would end each other's new subscription.
  await (tabLocks()?.request('parley push', () => mend(me)) ?? mend(me))
}

async function mend(me: string) {
  const memory = readPushMemory(me)
  if (!memory) return
  // The permission was taken away.
  if (notificationState() !== 'on') return turnOffPush(me)
  const settings = await call(getPush, {})
  const { publicKey } = settings
  const found = await browserSubscription()
  const subscription = found && { endpoint: found.endpoint, hasKey: hasKey(found, publicKey) }
  const isNoted = (await pushOwner()) === me
  const repair = repairOf({ memory, isNoted, subscription, settings })
  const { hidesText } = settings.devices.find(({ isCurrent }) => isCurrent) ?? memory
  if (repair === 'renew' || repair === 'register')
    await register(me, { publicKey, hidesText, isFresh: repair === 'renew' })
}
