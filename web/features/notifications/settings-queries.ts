import { queryOptions } from '@tanstack/react-query'
import { getNotificationSettings } from '#contract/notifications'
import { call } from '../../api-client/api.ts'

/** What notifies me in channels: my default, and the workspace's. */
export const notificationSettings = queryOptions({
  queryKey: ['notification-settings'] as const,
  queryFn: () => call(getNotificationSettings, {}),
})
