import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showToast } from '../../ui/toast.tsx'

/** Marks all channels read, and offers to take it back. `nothing` is said where none was unread. */
export function useReadAll(nothing = 'Nothing is unread') {
  const client = useQueryClient()
  return useCallback(async () => {
    const late = await import('./read-all.ts').catch((error) => {
      console.error('Failed to mark everything as read:', error)
      showToast('Failed to mark everything as read')
    })
    await late?.readAll(client, nothing)
  }, [client, nothing])
}
