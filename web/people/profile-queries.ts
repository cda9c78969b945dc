import { useQuery } from '@tanstack/react-query'
import type { Me } from '#contract/users'
import { useIsLive } from '../socket/first-connection.ts'
import { allUsers, profileOf } from './user-queries.ts'

/** My own profile; fetched separately only if the directory exceeds one response. */
export function useMyProfile({ id }: Me) {
  const { data: people } = useQuery({ ...allUsers, enabled: useIsLive() })
  const listed = people?.find((person) => person.id === id)
  const { data: unlisted } = useQuery({ ...profileOf(id), enabled: people !== undefined && !listed })
  return listed ?? unlisted
}
