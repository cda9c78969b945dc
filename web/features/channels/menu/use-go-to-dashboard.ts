import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { forgetChannel } from '../cache/last-channel.ts'

/** Leaves the page of a channel that ended for me for the one that the dashboard picks. Does nothing on other pages. */
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
