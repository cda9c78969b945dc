import type { QueryClient } from '@tanstack/react-query'
import { registerServiceWorker } from '../../browser/service-worker.ts'
import { preloadMessageParts } from '../../features/messages/preload.ts'
import { keepPush } from '../../features/notifications/push/keep-push.ts'
import { followTimeZone } from '../../features/users/follow-time-zone.ts'
import { closeRead } from '../../realtime/notify-me.ts'
import { mayStoreFor } from '../../ui/device/local-storage.ts'
import { takeOpened } from '../../ui/device/opened-push.ts'
import { claimShares } from '../../ui/device/shares.ts'
import { preload } from '../../ui/lazy/lazy.tsx'
import { beginning, endedConversation, openThread } from '../channel/lazy-parts.ts'
import { searchDialog } from '../search/use-search-dialog.ts'
import { resumeUploads } from '../share/shared-uploads.ts'
import { backCloses, shortcutSheet, signInPage, signOutDialog, suggestions } from './lazy-parts.ts'

const openedByKeys = [searchDialog, openThread, shortcutSheet, suggestions]
const openedByEvents = [beginning, endedConversation, backCloses]
/** Signing out has to work offline. */
const neededOffline = [signOutDialog, signInPage]

/** Prefetches the parts of the pages that the next key or click may need. */
export function preloadParts(me: string, client: QueryClient) {
  for (const load of [...openedByKeys, ...openedByEvents, ...neededOffline]) void preload<never>(load)
  preloadMessageParts()
  void followTimeZone(me)
  void registerServiceWorker()
  keepPush(me, () => void offerOpened(client, me))
  // What was read on other devices while Parley was closed.
  closeRead(client)
  if (mayStoreFor(me)) takeShares(me).catch((error) => console.warn('Failed to read what was shared:', error))
}

/** Says why the notification appeared that led here. */
async function offerOpened(client: QueryClient, me: string) {
  try {
    const opened = await takeOpened(me)
    if (opened) await (await import('../../realtime/offer-change.ts')).offerOpened(client, opened, me)
  } catch (error) {
    console.warn('Failed to offer a change of what notifies me:', error)
  }
}

async function takeShares(me: string) {
  await claimShares(me)
  await resumeUploads(me)
}
