import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { withTexts } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/** Loads and calls `readAll`. */
export function useReadAll() {
  const client = useQueryClient()
  return useCallback(async () => {
    const module = await withTexts(() => import('../read-all.ts')).catch((error) => {
      console.error('Failed to mark everything as read:', error)
      showToast(t('readAll.failed'))
    })
    await module?.readAll(client)
  }, [client])
}
