import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showToast } from '../../ui/feedback/toast.tsx'

/** Loads and calls `readAll`. */
export function useReadAll() {
  const client = useQueryClient()
  return useCallback(async () => {
    const module = await import('../read-all.ts').catch((error) => {
      console.error('Failed to mark everything as read:', error)
      showToast('Failed to mark everything as read')
    })
    await module?.readAll(client)
  }, [client])
}
