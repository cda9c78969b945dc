import { useLocation, useNavigate } from 'react-router'
import { v4 as uuid } from 'uuid'
import type { SearchResult } from '#contract/search'
import { rememberSearch } from '../../features/search/recent-searches.ts'
import { type SavedSearchKey, saveSearch } from '../../features/search/saved-searches.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'

interface Options {
  /** The query in the field, and the one that was searched for. */
  query: string
  asked: string
  onFile: (fileId: string) => void
  onClose: () => void
}

/** Opens a message or a file that was found. */
export function useOpenResult({ query, asked, onFile, onClose }: Options) {
  const { id: me } = useMe()
  const navigate = useNavigate()
  const location = useLocation()
  return (result: SearchResult) => {
    rememberSearch(me, asked)
    onClose()
    if (result.type === 'file') return onFile(result.id)
    const { channelId, messageId } = result.metadata
    // Going back restores the search with this row highlighted.
    const mark: SavedSearchKey = { person: me, key: uuid(), id: result.id }
    saveSearch(mark, query)
    const state = { ...location.state, search: mark }
    void navigate(location, { replace: true, state })
    void navigate(`${paths.channel(channelId)}?message=${messageId}`, { state: { messageId } })
  }
}
