import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listUsers, type Profile } from '#contract/users'
import { call } from '../../api.ts'
import { allUsers } from './user-queries.ts'

export const INVALID = 'Invalid response format from server'

/** People whose username or name holds what is sought, as the server finds them. */
const usersLike = (sought: string) =>
  queryOptions({
    queryKey: ['users', 'like', sought] as const,
    queryFn: async () => {
      const people: unknown = await call(listUsers, { query: { query: sought } })
      if (!Array.isArray(people)) throw new Error(INVALID)
      return people as Profile[]
    },
    placeholderData: keepPreviousData,
  })

/** People whose username or name holds what is sought. The server is asked only where one answer cannot hold everybody. */
export function useUsersLike(sought: string) {
  const all = useQuery(allUsers)
  const isAsked = sought !== '' && all.data !== undefined && all.data.length >= limits.people
  const found = useQuery({ ...usersLike(sought), enabled: isAsked })
  if (isAsked) {
    const { data: people, isPlaceholderData, error, refetch } = found
    return { people, isCurrent: !isPlaceholderData, error, refetch }
  }
  const holds = ({ username, name }: Profile) =>
    username.toLowerCase().includes(sought) || name.toLowerCase().includes(sought)
  return { people: all.data?.filter(holds), isCurrent: all.data !== undefined, error: all.error, refetch: all.refetch }
}
