import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { usePageIdle } from '../../api-client/use-page-idle.ts'
import { channelIds } from '../../features/channels/cache/channel-queries.ts'
import { ChannelIds } from '../../features/messages/content/message-link.tsx'
import { openOutbox, readOutbox } from '../../features/messages/outbox/outbox.ts'
import { preloadMessageParts } from '../../features/messages/preload.ts'
import { SuggestionsLoader } from '../../features/messages/suggestions/use-suggestions.tsx'
import { ThreadsLink } from '../../features/threads/threads-link.tsx'
import { loadSignOut, useIdentity, useMe } from '../../me.tsx'
import { useLiveConnection } from '../../realtime/use-live-connection.ts'
import { bearer, tokenLife } from '../../session/session.ts'
import { SocketContext } from '../../socket/socket-context.ts'
import { wideScreen } from '../../ui/device/media.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { ToastHost } from '../../ui/feedback/toast.tsx'
import { preventFileNavigation } from '../../ui/input/file-drop.ts'
import { Lazy, preload } from '../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { endedConversation } from '../channel/channel-page.tsx'
import { openThread } from '../channel/channel-thread.tsx'
import type { FrameContext } from '../page-header.tsx'
import { searchDialog, useSearchDialog } from '../search/use-search-dialog.ts'
import { UnreachablePage } from '../sign-in/unreachable-page.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Conversations } from './conversations.tsx'
import { ShortcutSheetHost, shortcutSheet } from './dialogs/shortcut-sheet-host.tsx'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import { SidebarFooter, signInPage, signOutDialog } from './sidebar-footer.tsx'
import { TopBar } from './top-bar.tsx'

/** The workspace of the person signed in; another person gets another one, from the start. */
export function WorkspacePage() {
  const me = useMe()
  return <Workspace key={me.id} />
}

/** Waits for the token that every call needs, then shows the frame. */
function Workspace() {
  const [token, setToken] = useState<'pending' | 'held' | 'failed'>(tokenLife() > 0 ? 'held' : 'pending')
  const ask = useCallback(
    () =>
      bearer().then(
        () => setToken('held'),
        (error) => {
          console.error('Could not get a token:', error)
          setToken('failed')
        },
      ),
    [],
  )
  useEffect(() => void ask(), [ask])
  if (token === 'failed') return <UnreachablePage retry={ask} />
  if (token === 'pending') return <FullPageSpinner>Setting up authentication...</FullPageSpinner>
  return <Frame />
}

const NO_CHANNELS = {}

const suggestions = () => import('../suggestions/suggestions.tsx')
const notes = () => import('./banners.tsx')
const filesPanel = () => import('../../features/files/files-panel.tsx')
const backCloses = () => import('./back-closes.tsx')
const draftsLink = () => import('./drafts-link.tsx')

/** What is likely to be wanted next, and must be there at once: a key that is pressed is not to wait for it. */
const ahead = [
  searchDialog,
  openThread,
  endedConversation,
  suggestions,
  shortcutSheet,
  signOutDialog,
  signInPage,
  backCloses,
]

/** The frame around every signed-in page: sidebar, top bar, and the live connection. */
function Frame() {
  const me = useMe()
  const isPageIdle = usePageIdle()
  const socket = useLiveConnection(me.id, isPageIdle)
  const sidebar = useDrawer()
  const [files, setFiles] = useState<{ selectedId?: string }>()
  const search = useSearchDialog()
  const context: FrameContext = { showSidebar: sidebar.show, openSearch: search.open }

  const { data: ids = NO_CHANNELS } = useQuery(channelIds)

  useEffect(() => openOutbox(me.id), [me.id])
  useEffect(() => {
    if (!isPageIdle) return
    for (const load of ahead) void preload<never>(load)
    preloadMessageParts()
    return readOutbox()
  }, [isPageIdle])
  const { leave, refresh } = useIdentity()
  useEffect(() => {
    if (!isPageIdle) return
    const following = loadSignOut()
      .then(({ followSignOut }) => followSignOut(me.id, leave, refresh))
      .catch((error) => {
        // Its socket's end leads out of this tab all the same.
        console.error('Could not follow a sign-out in another tab:', error)
        return undefined
      })
    return () => void following.then((end) => end?.())
  }, [isPageIdle, me.id, leave, refresh])
  useEffect(() => preventFileNavigation(), [])

  return (
    <SocketContext value={socket}>
      <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] wide:grid-cols-[var(--sidebar)_minmax(0,1fr)] wide:grid-rows-[var(--bar)_minmax(0,1fr)]">
        <Sidebar
          open={sidebar.isOpen}
          onClose={sidebar.hide}
          head={
            <>
              <ThreadsLink />
              {isPageIdle && <Lazy load={draftsLink} />}
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
        <main inert={sidebar.isOpen} className="flex min-h-0 min-w-0 flex-col">
          <ConnectionBar isPageIdle={isPageIdle} />
          <GlobalShortcuts />
          {isPageIdle && <Lazy load={notes} />}
          <ChannelIds value={ids}>
            <SuggestionsLoader value={suggestions}>
              <Outlet context={context} />
            </SuggestionsLoader>
          </ChannelIds>
        </main>
      </div>
      {sidebar.isOpen && <Lazy load={backCloses} onBack={sidebar.hide} />}
      {search.options && (
        <LazyDialog
          load={searchDialog}
          left={search.options.left}
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

/** On a narrow screen the sidebar is a drawer; going anywhere closes it, and so does a screen that became wide. */
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
