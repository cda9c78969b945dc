import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id } from './ids.ts'
import { limits } from './limits.ts'
import { notificationLevels } from './notification-rule.ts'
import { profileLimits } from './person-cards.ts'
import { seenText, storable } from './text.ts'

export const Level = z.enum(
  notificationLevels,
  fieldProblem('errors.notOneOf', { options: notificationLevels.join(', ') }),
)

const DAYS = fieldProblem('errors.notWeekdays')
const Day = z.int(DAYS).check(z.gte(0, DAYS), z.lte(6, DAYS))
const TIME_OF_DAY = fieldProblem('errors.notATimeOfDay')
const TimeOfDay = z.string(TIME_OF_DAY).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME_OF_DAY))

/** When I may be notified; see contract/notification-schedule.ts. */
export const Schedule = z.object({
  days: z.array(Day, DAYS).check(
    z.minLength(1, DAYS),
    z.refine((days) => new Set(days).size === days.length, DAYS),
  ),
  from: TimeOfDay,
  to: TimeOfDay,
  timeZone: z.string().check(z.minLength(1), z.maxLength(profileLimits.timeZone), storable),
})

export const NotificationSettings = z.object({
  /** My level for channels; null for the workspace's. */
  level: z.nullable(Level),
  /** The level of everyone who chose none. */
  workspaceLevel: Level,
  /** My words that notify me, as I typed them. Nobody else learns of them. Absent in what older nodes send. */
  keywords: z.optional(z.array(z.string())),
  /** When I may be notified: outside it, do not disturb is on. Null for always. Absent in what older nodes send. */
  schedule: z.optional(z.nullable(Schedule)),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/api/notification-settings',
  summary: 'What notifies me in channels for which I chose nothing else, and when I may be notified.',
  reply: NotificationSettings,
})

export const setNotificationSettings = endpoint({
  method: 'PATCH',
  path: '/api/notification-settings',
  summary:
    'Choose what notifies me in channels (null for the default of the workspace), and when I may be notified (null for always). Outside the schedule, do not disturb is on. What is left out stays.',
  body: z.object({ level: z.optional(z.nullable(Level)), schedule: z.optional(z.nullable(Schedule)) }),
  reply: NotificationSettings,
})

/** More than one person can have. */
export const KEYWORDS_AT_ONCE = 100

export const changeKeywords = endpoint({
  method: 'PATCH',
  path: '/api/notification-settings/keywords',
  summary:
    'Add and remove words and phrases of which I am notified in my channels, as whole words in any case. Those already there, or not there, change nothing.',
  body: z.object({
    add: z.optional(z.array(seenText(limits.keywords.length)).check(z.maxLength(KEYWORDS_AT_ONCE))),
    remove: z.optional(z.array(z.string()).check(z.maxLength(KEYWORDS_AT_ONCE))),
  }),
  reply: z.object({ keywords: z.array(z.string()) }),
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
