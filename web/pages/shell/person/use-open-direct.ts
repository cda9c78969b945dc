import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { openDirectMessage } from '#contract/channels'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { putChannel } from '../../../features/channels/cache/channel-cache.ts'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { afterTwoFrames } from '../../../ui/dialog/after-close.ts'
import { composerNear } from './mention.ts'

/** Opens the direct message with one person: the one there is, without a request, or a new one. */
export function useOpenDirect(userId: string, onLeave: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(openDirectMessage, { body: { userIds: [userId] } }),
    onSuccess: (channel) => {
      putChannel(client, channel)
      go(channel.id)
    },
    onError: (failure) => console.error('Failed to start conversation:', failure),
  })

  function go(channelId: string) {
    onLeave()
    void navigate(paths.channel(channelId))
    // A composer takes the focus when it appears. This one may be on screen already.
    if (!isTouch()) afterTwoFrames(() => composerNear(document.body)?.focus())
  }

  function open() {
    const known = Object.values(client.getQueryData(allChannels.queryKey) ?? {}).find(
      ({ kind, members }) => kind === 'direct' && members.length === 2 && members.some(({ id }) => id === userId),
    )
    if (known) go(known.id)
    else mutate()
  }

  return { open, isOpening: isPending, problem: error && failureText(t('channels.newDirect.failed'), error) }
}
