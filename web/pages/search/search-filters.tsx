import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { filterBefore, filterText, hasKinds } from '#contract/search-query'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import type { SearchRow } from '../../features/search/search-dialog.tsx'
import { allUsers } from '../../people/user-queries.ts'
import { serverNow } from '../../ui/format/clock.ts'

const MAX_OFFERED = 6
const DAY_MS = 24 * 3600 * 1000

/** Completions of the filter before the caret. */
export function useFilterRows(
  query: string,
  caret: number,
  write: (query: string, caret: number) => void,
): SearchRow[] {
  const { data: people } = useQuery(allUsers)
  const { data: channels } = useQuery(sharedChannels)
  const filter = filterBefore(query, caret)
  if (!filter) return []
  const { name, value, start } = filter
  const values = {
    from: () => ['me', ...(people ?? []).map(({ username }) => username)],
    in: () => (channels ?? []).map((channel) => channel.name),
    has: () => hasKinds,
    before: days,
    after: days,
  }[name]()
  const fitting = values.filter((option) => option.toLowerCase().startsWith(value) && option.toLowerCase() !== value)
  return fitting.slice(0, MAX_OFFERED).map((option) => {
    const text = filterText(name, option)
    const before = query.slice(0, start - name.length - 1)
    return {
      id: `filter ${text}`,
      act: () => write(`${before}${text} ${query.slice(caret).trimStart()}`, before.length + text.length + 1),
      content: (
        <div className="flex h-9 items-center gap-3 text-ui">
          <span className="grid w-7 flex-none place-items-center text-faint">
            <ListFilter size={16} />
          </span>
          <span className="text-faint">
            {name}:<bdi className="font-[550] text-ink">{option}</bdi>
          </span>
        </div>
      ),
    }
  })
}

/** Today, yesterday, a week and a month ago. */
const days = () => [0, 1, 7, 30].map((ago) => new Date(serverNow() - ago * DAY_MS).toISOString().slice(0, 10))
