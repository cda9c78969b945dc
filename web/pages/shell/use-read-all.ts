import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'

/** Marks all channels and threads read, and offers to take it back. */
export function useReadAll() {
  const client = useQueryClient()
  return useCallback(async () => {
    const late = await import('./read-all.ts').catch((error) => {
      console.error('Failed to mark everything as read:', error)
      showToast('Failed to mark everything as read')
    })
    await late?.readAll(client)
  }, [client])
}
