import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Group, listGroups } from '#contract/groups'
import { call } from '../api-client/api.ts'
import { setMyGroups } from '../cache/means-me.ts'

/** All groups, by username. */
export const allGroups = queryOptions({
  queryKey: ['groups'] as const,
  queryFn: async () => {
    const groups: Group[] = await call(listGroups, {})
    setMyGroups(groups.flatMap(({ id, isMine }) => (isMine ? [id] : [])))
    return groups
  },
})

/** Loads the groups, because a message that mentions one of mine mentions me. */
export function refetchGroups(client: QueryClient) {
  client
    .cancelQueries({ queryKey: allGroups.queryKey, exact: true })
    .then(() => client.fetchQuery({ ...allGroups, staleTime: 0 }))
    .catch((error) => console.error('Failed to load groups:', error))
}
