import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { forgetChannel } from '../cache/last-channel.ts'

/** Leads away from a channel that ended for me, to one that the dashboard picks; whoever is elsewhere stays there. */
export function useGoToDashboard() {
  const { id } = useMe()
  const navigate = useNavigate()
  return useCallback(
    (channelId: string) => {
      forgetChannel(id, channelId)
      if (window.location.pathname.toLowerCase() === paths.channel(channelId))
        void navigate(paths.dashboard, { replace: true })
    },
    [id, navigate],
  )
}
