import { useEffect, useEffectEvent, useState } from 'react'
import { matchPath, useLocation, useNavigate, useNavigationType } from 'react-router'
import { useShortcuts } from '../../browser/shortcuts.ts'
import { type SavedSearch, type SavedSearchKey, savedSearch } from '../../features/search/saved-searches.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'

export const searchDialog = () => import('./search-dialog.tsx')

interface SearchOptions {
  /** The search to restore. */
  restored?: SavedSearch
  /** The channel to search in. */
  within?: string | undefined
}

/** The state of the search dialog. Shortcuts open and close it; going back from a result reopens it. */
export function useSearchDialog() {
  const { id: me } = useMe()
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const [options, setOptions] = useState<SearchOptions>()
  const searchHere = () => {
    const path = matchPath(paths.channel(':channelId'), location.pathname)
    setOptions({ within: path?.params.channelId?.toLowerCase() })
  }
  useShortcuts(
    {
      search: () => setOptions((before) => (before ? undefined : {})),
      searchHere,
    },
    options !== undefined,
  )

  const { search: mark, ...state } = (location.state ?? {}) as { search?: SavedSearchKey }
  const restore = useEffectEvent(() => {
    if (type !== 'POP' || !mark) return
    const restored = mark.person === me && savedSearch(mark)
    if (restored) setOptions({ restored })
    // Only once: after closing it, going back to the entry does not open it again.
    void navigate(location, { replace: true, state })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each history entry
  useEffect(() => restore(), [location.key])

  return { options, open: () => setOptions({}), searchHere, close: () => setOptions(undefined) }
}
