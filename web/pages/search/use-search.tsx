import { useEffect, useEffectEvent, useState } from 'react'
import { matchPath, useLocation, useNavigate, useNavigationType } from 'react-router'
import { useShortcuts } from '../../browser/shortcuts.ts'
import { type SearchLeft, type SearchMark, searchLeft } from '../../features/search/searches-left.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'

export const searchDialog = () => import('./search-dialog.tsx')

/** The dialog to find anything and go anywhere with; its keys open and close it, and so does going back from a result. */
export function useSearch(onFile: (fileId: string) => void) {
  const { id: me } = useMe()
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ left?: SearchLeft; within?: string | undefined }>()
  useShortcuts(
    {
      search: () => setOpen((before) => (before ? undefined : {})),
      searchHere: () => {
        const path = matchPath(paths.channel(':channelId'), location.pathname)
        setOpen({ within: path?.params.channelId?.toLowerCase() })
      },
    },
    open !== undefined,
  )

  const { search: mark, ...state } = (location.state ?? {}) as { search?: SearchMark }
  const comeBack = useEffectEvent(() => {
    if (type !== 'POP' || !mark) return
    const left = mark.person === me && searchLeft(mark)
    if (left) setOpen({ left })
    // Once: closed, it stays closed.
    void navigate(location, { replace: true, state })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each entry that is gone to
  useEffect(() => comeBack(), [location.key])

  return {
    open: () => setOpen({}),
    shown: open && (
      <LazyDialog
        load={searchDialog}
        left={open.left}
        within={open.within}
        onFile={onFile}
        onClose={() => setOpen(undefined)}
      />
    ),
  }
}
