import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { join } from '../cache/join.ts'

/** Joins a channel and opens it, without confirmation. Load it lazily, like the dialogs for the other acts. */
export default function JoinNow({ channel: { id }, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    join(client, id)
      .then(() => navigate(paths.channel(id)))
      .catch((error) => {
        console.error('Failed to join channel:', error)
        showToast(t('channels.joinFailed'))
      })
      .finally(onClose)
  }, [])
  return null
}
