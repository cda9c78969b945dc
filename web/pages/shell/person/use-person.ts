import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { allUsers, profileOf } from '../../../people/user-queries.ts'

/** A person from the directory, which events keep current; fetched if it lacks them, such as deactivated ones. */
export function usePerson(userId: string) {
  const directory = useQuery(allUsers)
  const listed = directory.data?.find(({ id }) => id === userId)
  const single = useQuery({ ...profileOf(userId), enabled: !listed && !directory.isPending, staleTime: 0 })
  const { error, refetch } = single
  useEffect(() => {
    if (error) console.error('Failed to load a profile:', error)
  }, [error])
  return { person: listed ?? single.data, error, refetch: () => void refetch() }
}
