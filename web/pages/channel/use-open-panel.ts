import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { useShortcuts } from '../../browser/shortcuts.ts'
import { myThreads } from '../../features/threads/thread-queries.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/** The panels that a URL can open. A thread lies over the pins, and closing it returns to them. */
const PANELS = ['thread', 'pins'] as const

const panelIn = (params: URLSearchParams) => PANELS.find((panel) => params.get(panel))

export type OpenPanel = ReturnType<typeof useOpenPanel>

/** The panel in the URL. Closing it goes back if opening it was the last step, and otherwise removes it from the URL. */
export function useOpenPanel(channelId: string) {
  const [params] = useSearchParams()
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const before = useRef(location)
  const openedAt = useRef<string>(undefined)
  useEffect(() => {
    const { pathname, search } = before.current
    const [panel, last] = [panelIn(params), panelIn(new URLSearchParams(search))]
    // Going back from pins that replaced a thread would open the thread.
    const isOpening = panel === 'thread' ? last !== 'thread' : last === undefined
    if (type === 'PUSH' && isOpening && pathname === location.pathname) openedAt.current = location.key
    before.current = location
  }, [location, type, params])

  function close() {
    if (openedAt.current === location.key) return navigate(-1)
    const rest = new URLSearchParams(params)
    rest.delete(panelIn(params) ?? '')
    return navigate({ search: rest.toString() }, { replace: true })
  }

  const threadId = params.get('thread')?.toLowerCase()
  const panel = panelIn(params)
  const change = usePanelChange(channelId, panel === 'thread' ? threadId : panel, type === 'PUSH')
  const findLast = useLastThread(channelId, threadId)
  useShortcuts({
    panel: async () => {
      if (panel) return void close()
      const last = await findLast()
      if (last) void navigate({ search: `?thread=${last}` })
      else showToast(t('threads.noneFollowedHere'))
    },
  })
  return {
    ...change,
    threadId: panel === 'thread' ? threadId : undefined,
    isOpening: type === 'PUSH',
    close: () => void close(),
    arePinsOpen: panel === 'pins',
    togglePins: () => void (panel === 'pins' ? close() : navigate(paths.pins(channelId))),
  }
}

/**
 * @param key identifies the panel; undefined if none is open
 * @param wasFollowed whether a link or a button led to this URL
 * @returns the key; whether the panel slides in, because it opens here instead of replacing another one or being open already;
 * and whether it was opened on this page, instead of being restored with it
 */
function usePanelChange(channelId: string, key: string | undefined, wasFollowed: boolean) {
  const [shown, setShown] = useState({ channelId, key, slides: false, wasOpened: wasFollowed })
  if (shown.channelId !== channelId || shown.key !== key) {
    const isSameChannel = shown.channelId === channelId
    const slides = isSameChannel && shown.key === undefined
    setShown({ channelId, key, slides, wasOpened: isSameChannel || wasFollowed })
  }
  const { slides, wasOpened } = shown
  return { key, slides, wasOpened }
}

/** Finds the thread that was open here last, or else the latest that I follow in this channel. */
function useLastThread(channelId: string, threadId: string | undefined) {
  const client = useQueryClient()
  const last = useRef<{ channelId: string; threadId: string }>(undefined)
  useEffect(() => {
    if (threadId) last.current = { channelId, threadId }
  }, [channelId, threadId])
  return async () => {
    if (last.current?.channelId === channelId) return last.current.threadId
    try {
      const threads = await client.fetchQuery(myThreads)
      return threads.find(({ parent }) => parent.channelId === channelId)?.threadId
    } catch (error) {
      console.error('Failed to load threads:', error)
      return undefined
    }
  }
}
