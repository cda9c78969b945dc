import { queryOptions, useQuery } from '@tanstack/react-query'
import { getUser, type Me } from '#contract/users'
import { call } from '../api-client/api.ts'
import { useIsLive } from '../socket/first-connection.ts'
import { allUsers } from './user-queries.ts'

export const profileOf = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId] as const,
    queryFn: () => call(getUser, { params: { userId } }),
  })

/** My own profile; fetched separately only if the directory exceeds one response. */
export function useMyProfile({ id }: Me) {
  const { data: people } = useQuery({ ...allUsers, enabled: useIsLive() })
  const listed = people?.find((person) => person.id === id)
  const { data: unlisted } = useQuery({ ...profileOf(id), enabled: people !== undefined && !listed })
  return listed ?? unlisted
}
