import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { openDirectMessage } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { putChannel } from '../cache/channel-cache.ts'

/** Opens a conversation with the assistant; shown until there is one. Lazy-loaded. */
export default function AssistantRow() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpening, setOpening] = useState(false)

  async function open() {
    setOpening(true)
    try {
      const channel = await call(openDirectMessage, { body: { userIds: [ASSISTANT] } })
      putChannel(client, channel)
      void navigate(paths.channel(channel.id))
    } catch (error) {
      console.error('Failed to start conversation:', error)
      showToast(failureText(t('channels.newDirect.failed'), error))
      setOpening(false)
    }
  }

  return (
    <ul>
      <li>
        <button
          type="button"
          disabled={isOpening}
          onClick={() => void open()}
          className="flex h-(--row) w-full select-none items-center gap-2 rounded-s px-2 text-soft hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Avatar id={ASSISTANT} name="" size="xs" />
          {t('channels.assistant')}
        </button>
      </li>
    </ul>
  )
}
