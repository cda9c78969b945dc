import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listUsers, type Profile } from '#contract/users'
import { call, queryClient } from '../api-client/api.ts'
import { useDebounced } from '../ui/input/use-debounced.ts'
import { allUsers, InvalidReplyError } from './user-queries.ts'

/** Users whose username or name contains the text, as found by the server. */
export const userSearch = (sought: string) =>
  queryOptions({
    queryKey: ['users', 'like', sought] as const,
    queryFn: async ({ signal }) => {
      const wider = allOfWider(sought)
      if (wider) return wider.filter(matches(sought))
      const people: unknown = await call(listUsers, { query: { query: sought } }, signal)
      if (!Array.isArray(people)) throw new InvalidReplyError('The users are not a list')
      return people as Profile[]
    },
    placeholderData: keepPreviousData,
  })

const matches =
  (sought: string) =>
  ({ username, name }: Profile) =>
    username.toLowerCase().includes(sought) || name.toLowerCase().includes(sought)

/** The complete result of a search for a part of the text, if one is cached. */
function allOfWider(sought: string): Profile[] | undefined {
  const held = queryClient.getQueriesData<Profile[]>({ queryKey: userSearch('').queryKey.slice(0, 2) })
  return held.find(([key, people]) => people && people.length < limits.people && sought.includes(String(key[2])))?.[1]
}

/** Users whose username or name contains the text. The server searches only if the directory exceeds one response. */
export function useUserSearch(sought: string) {
  const all = useQuery(allUsers)
  const settled = useDebounced(sought)
  const isRemote = sought !== '' && all.data !== undefined && all.data.length >= limits.people
  const found = useQuery({ ...userSearch(settled), enabled: isRemote && settled !== '' })
  if (isRemote) {
    const { data: people, isPlaceholderData, error, refetch } = found
    return { people, isCurrent: settled === sought && !isPlaceholderData && people !== undefined, error, refetch }
  }
  return {
    people: all.data?.filter(matches(sought)),
    isCurrent: all.data !== undefined,
    error: all.error,
    refetch: all.refetch,
  }
}
