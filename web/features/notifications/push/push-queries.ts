import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getPush } from '#contract/push'
import { call } from '../../../api-client/api.ts'
import { sessionUserId } from '../../../session/session.ts'
import type { NotificationState } from '../permission.ts'
import { browserSubscription } from './browser-subscription.ts'
import { mendPush } from './push-device.ts'

export const PUSH_SETTINGS = ['push'] as const
/** The settings don't wait longer for a browser that subscribes again. */
const MEND_TIMEOUT_MS = 4000

const mended = (me: string) =>
  mendPush(me).catch((error) => console.warn('Failed to renew the push subscription:', error))

/** My browsers that are notified while Parley is closed, and whether this is one of them. */
export const pushSettings = (state: NotificationState) =>
  queryOptions({
    // The permission may change meanwhile, in the browser's settings.
    queryKey: [...PUSH_SETTINGS, state] as const,
    queryFn: async () => {
      const me = sessionUserId()
      if (me) await Promise.race([mended(me), new Promise((resolve) => setTimeout(resolve, MEND_TIMEOUT_MS))])
      const settings = await call(getPush, {})
      const here = settings.devices.find(({ isCurrent }) => isCurrent)
      return { ...settings, here: here && (await browserSubscription()) ? here : undefined }
    },
    placeholderData: keepPreviousData,
  })
