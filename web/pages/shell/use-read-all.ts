import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { loadAllTexts } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

const loadModule = () => import('../read-all.ts')
const load = async () => {
  const [module] = await Promise.all([loadModule(), loadAllTexts()])
  return module
}

/** Loads and calls `readAll`. */
export function useReadAll() {
  const client = useQueryClient()
  return useCallback(async () => {
    const module = await load().catch((error) => {
      console.error('Failed to mark everything as read:', error)
      showToast(t('readAll.failed'))
    })
    await module?.readAll(client)
  }, [client])
}
