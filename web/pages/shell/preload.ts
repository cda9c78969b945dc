import { preloadMessageParts } from '../../features/messages/preload.ts'
import { followTimeZone } from '../../features/users/follow-time-zone.ts'
import { preload } from '../../ui/lazy/lazy.tsx'
import { beginning, endedConversation, openThread } from '../channel/lazy-parts.ts'
import { searchDialog } from '../search/use-search-dialog.ts'
import { backCloses, shortcutSheet, signInPage, signOutDialog, suggestions } from './lazy-parts.ts'

const openedByKeys = [searchDialog, openThread, shortcutSheet, suggestions]
const openedByEvents = [beginning, endedConversation, backCloses]
/** Signing out has to work offline. */
const neededOffline = [signOutDialog, signInPage]

/** Prefetches the parts of the pages that the next key or click may need. */
export function preloadParts(me: string) {
  for (const load of [...openedByKeys, ...openedByEvents, ...neededOffline]) void preload<never>(load)
  preloadMessageParts()
  void followTimeZone(me)
}
