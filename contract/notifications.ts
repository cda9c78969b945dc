import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id } from './ids.ts'
import { notificationLevels } from './notification-rule.ts'

export const Level = z.enum(
  notificationLevels,
  fieldProblem('errors.notOneOf', { options: notificationLevels.join(', ') }),
)
export const NotificationSettings = z.object({
  /** My level for channels; null for the workspace's. */
  level: z.nullable(Level),
  /** The level of everyone who chose none. */
  workspaceLevel: Level,
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/api/notification-settings',
  summary: 'What notifies me in channels for which I chose nothing else.',
  reply: NotificationSettings,
})

export const setNotificationSettings = endpoint({
  method: 'PATCH',
  path: '/api/notification-settings',
  summary: 'Choose what notifies me in channels; null for the default of the workspace.',
  body: z.object({ level: z.nullable(Level) }),
  reply: NotificationSettings,
})

export const setChannelLevel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/notification-level',
  summary: 'Choose what notifies me in a channel or direct message; null for my default.',
  params: z.object({ channelId: Id }),
  body: z.object({ level: z.nullable(Level) }),
  status: 204,
  reply: z.undefined(),
})

export const setWorkspaceLevel = endpoint({
  method: 'PUT',
  path: '/api/workspace/notification-level',
  summary: 'Set what notifies everyone who chose nothing else. For the owner and admins.',
  body: z.object({ level: Level }),
  reply: z.object({ level: Level }),
})

export const notificationEvents = {
  /** To my own sockets. */
  'channel:notification_level': z.object({ channelId: Id, notificationLevel: z.nullable(Level) }),
  'notification-settings:changed': z.object({}),
}
