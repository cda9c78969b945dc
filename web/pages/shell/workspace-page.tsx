import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { usePageIdle } from '../../api-client/use-page-idle.ts'
import { isUnconfirmed } from '../../browser/unconfirmed.ts'
import { channelIds } from '../../features/channels/cache/channel-queries.ts'
import { ForwardLoader } from '../../features/messages/actions/forward-loader.ts'
import { ChannelIds } from '../../features/messages/content/message-link.tsx'
import { QuoteLoader } from '../../features/messages/content/quote-loader.ts'
import { openOutbox, readOutbox } from '../../features/messages/outbox/outbox.ts'
import { SuggestionsLoader } from '../../features/messages/suggestions/use-suggestions.tsx'
import { ThreadsLink } from '../../features/threads/threads-link.tsx'
import { t } from '../../i18n/text.ts'
import { loadSignOut, useIdentity, useMe } from '../../me.tsx'
import { PersonCardLoader } from '../../people/person-card.ts'
import { useLiveConnection } from '../../realtime/use-live-connection.ts'
import { bearer, tokenLife } from '../../session/session.ts'
import { SocketContext } from '../../socket/socket-context.ts'
import { wideScreen } from '../../ui/device/media.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { ToastHost } from '../../ui/feedback/toast.tsx'
import { preventFileNavigation } from '../../ui/input/file-drop.ts'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import type { FrameContext } from '../page-header.tsx'
import { searchDialog, useSearchDialog } from '../search/use-search-dialog.ts'
import { UnreachablePage } from '../sign-in/unreachable-page.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Conversations } from './conversations.tsx'
import { ShortcutSheetHost } from './dialogs/shortcut-sheet-host.tsx'
import { DraftsLink } from './drafts-link.tsx'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { LaterLink } from './later-link.tsx'
import { backCloses, banners, filesPanel, forwardDialog, quotedMessage, suggestions } from './lazy-parts.ts'
import { PageBoundary } from './page-boundary.tsx'
import { personCard } from './person/lazy-parts.ts'
import { Sidebar } from './sidebar.tsx'
import { SidebarFooter } from './sidebar-footer.tsx'
import { TopBar } from './top-bar.tsx'
import { useDeviceCache } from './use-device-cache.ts'

/** The workspace of the signed-in user. A new user gets a new one without any state of the previous user. */
export function WorkspacePage() {
  const me = useMe()
  return <Workspace key={me.id} />
}

/** Waits for the token that every request needs, then shows the frame; at once if its content is from the device cache. */
function Workspace() {
  const [token, setToken] = useState<'pending' | 'held' | 'failed'>(
    tokenLife() > 0 || isUnconfirmed() ? 'held' : 'pending',
  )
  const fetchToken = useCallback(
    () =>
      bearer().then(
        () => setToken('held'),
        (error) => {
          console.error('Failed to fetch a token:', error)
          // Content from the device cache stays on screen: each request fetches a token, and is retried.
          setToken((before) => (before === 'held' ? before : 'failed'))
        },
      ),
    [],
  )
  useEffect(() => void fetchToken(), [fetchToken])
  if (token === 'failed') return <UnreachablePage retry={fetchToken} />
  if (token === 'pending') return <FullPageSpinner>{t('app.startingSession')}</FullPageSpinner>
  return (
    <PersonCardLoader value={personCard}>
      <Frame />
    </PersonCardLoader>
  )
}

/** The frame around every signed-in page: sidebar, top bar, and the live connection. */
function Frame() {
  const me = useMe()
  const isPageIdle = usePageIdle()
  // The connection catches up with everything that is cached by then.
  const isRestored = useDeviceCache(me, isPageIdle)
  const socket = useLiveConnection(me.id, isRestored)
  const sidebar = useDrawer()
  const [files, setFiles] = useState<{ selectedId?: string }>()
  const search = useSearchDialog()
  const context: FrameContext = { showSidebar: sidebar.show, openSearch: search.open, searchHere: search.searchHere }

  usePreloadedParts(me.id, isPageIdle)
  useOutbox(me.id, isPageIdle)
  useSharedSignOut(me.id, isPageIdle)
  useEffect(() => preventFileNavigation(), [])

  return (
    <SocketContext value={socket}>
      <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] wide:grid-cols-[var(--sidebar)_minmax(0,1fr)] wide:grid-rows-[var(--bar)_minmax(0,1fr)]">
        <Sidebar
          isOpen={sidebar.isOpen}
          onClose={sidebar.hide}
          head={
            <>
              <ThreadsLink />
              <LaterLink />
              <DraftsLink isPageIdle={isPageIdle} />
            </>
          }
          footer={
            <SidebarFooter
              isFilesOpen={files !== undefined}
              onFiles={() => setFiles((before) => (before ? undefined : {}))}
            />
          }
        >
          <Conversations />
        </Sidebar>
        <TopBar onSearch={search.open} />
        <Main isInert={sidebar.isOpen} isPageIdle={isPageIdle} context={context} />
      </div>
      {sidebar.isOpen && <Lazy load={backCloses} isOptional onBack={sidebar.hide} />}
      {search.options && (
        <LazyDialog
          load={searchDialog}
          restored={search.options.restored}
          within={search.options.within}
          onFile={(selectedId) => setFiles({ selectedId })}
          onClose={search.close}
        />
      )}
      {files && <LazyDialog load={filesPanel} selectedId={files.selectedId} onClose={() => setFiles(undefined)} />}
      <ShortcutSheetHost />
      <ToastHost />
    </SocketContext>
  )
}

interface MainProps {
  isInert: boolean
  isPageIdle: boolean
  context: FrameContext
}

const NO_CHANNELS = {}

/** The open page, below the banners for all pages. */
function Main({ isInert, isPageIdle, context }: MainProps) {
  const { data: ids = NO_CHANNELS } = useQuery(channelIds)
  return (
    <main inert={isInert} className="column-area flex min-h-0 min-w-0 flex-col">
      <GlobalShortcuts />
      {isPageIdle && <Lazy load={banners} isOptional />}
      <ConnectionBar isPageIdle={isPageIdle} />
      <ChannelIds value={ids}>
        <SuggestionsLoader value={suggestions}>
          <QuoteLoader value={quotedMessage}>
            <ForwardLoader value={forwardDialog}>
              <PageBoundary frame={context}>
                <Outlet context={context} />
              </PageBoundary>
            </ForwardLoader>
          </QuoteLoader>
        </SuggestionsLoader>
      </ChannelIds>
    </main>
  )
}

/** Loads the parts that are not on screen yet, once the page is idle. */
function usePreloadedParts(myId: string, isPageIdle: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!isPageIdle) return
    import('./preload.ts').then(
      ({ preloadParts }) => preloadParts(myId, client),
      (error) => console.error('Failed to preload parts of the page:', error),
    )
  }, [client, isPageIdle, myId])
}

/** Opens the unsent messages of this user, and reads the stored ones once the page is idle. */
function useOutbox(myId: string, isPageIdle: boolean) {
  useEffect(() => openOutbox(myId), [myId])
  useEffect(() => {
    if (isPageIdle) return readOutbox()
  }, [isPageIdle])
}

/** Signs this tab out together with the others. */
function useSharedSignOut(myId: string, isPageIdle: boolean) {
  const { leave, refresh } = useIdentity()
  useEffect(() => {
    if (!isPageIdle) return
    const unsubscribe = loadSignOut()
      .then(({ followSignOut }) => followSignOut(myId, leave, refresh))
      .catch((error) => {
        // The end of the socket signs this tab out anyway.
        console.error('Failed to follow sign-outs in other tabs:', error)
        return undefined
      })
    return () => void unsubscribe.then((end) => end?.())
  }, [isPageIdle, myId, leave, refresh])
}

/** The state of the sidebar's drawer. Navigating closes it, and so does widening the window. */
function useDrawer() {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string>()
  useEffect(() => {
    const wide = wideScreen()
    const close = () => setOpenAt(undefined)
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return { isOpen: openAt === key, show: () => setOpenAt(key), hide: () => setOpenAt(undefined) }
}
