import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, Time } from './ids.ts'
import { type NotifyingRule, notifyingRules } from './notification-rule.ts'

/**
 * How a notification to a device ended. `delivered` to the push service; refused by it, or it failed too often or was too old;
 * the subscription is `gone`; or it was not sent, because its person had `read` it, was `active` in Parley, or did not want to be
 * disturbed (`quiet`), or because it no longer concerns them (`obsolete`).
 */
export const pushOutcomes = ['delivered', 'refused', 'failed', 'gone', 'read', 'active', 'quiet', 'obsolete'] as const

const PushDelivery = z.object({
  id: Id,
  kind: z.enum(['message', 'reminder', 'test']),
  /** Why it notified; null for reminders and tests. */
  rule: z.nullable(z.enum(notifyingRules)),
  outcome: z.enum(pushOutcomes),
  /** The push service's status; null if it did not answer, or was not asked. */
  status: z.nullable(z.int()),
  /** What the push service said, or why it was not reached. */
  detail: z.nullable(z.string()),
  attempts: z.int(),
  createdAt: Time,
  finishedAt: Time,
})
export type PushDelivery = z.output<typeof PushDelivery>

export const PushDevice = z.object({
  /** The session of the browser, as in my sessions. */
  sessionId: Id,
  isCurrent: z.boolean(),
  /** From the user agent: 'Firefox on Linux'. */
  device: z.string(),
  /** The host of its push service. */
  service: z.string(),
  /** Whether its notifications say only that there is something new. */
  hidesText: z.boolean(),
  /** Whether the keys of this server are still those it subscribed with. If not, it receives nothing. */
  isValid: z.boolean(),
  createdAt: Time,
  /** Since when every delivery failed. */
  failingSince: z.nullable(Time),
  /** The last ones, newest first. */
  deliveries: z.array(PushDelivery),
})
export type PushDevice = z.output<typeof PushDevice>

export const PushSettings = z.object({
  /** `without-text`: no notification contains a text. `off`: there are none. */
  mode: z.enum(['on', 'without-text', 'off']),
  /** The server's key, with which browsers subscribe (base64url). */
  publicKey: z.string(),
  /** My browsers that receive notifications while Parley is closed, newest first. */
  devices: z.array(PushDevice),
})
export type PushSettings = z.output<typeof PushSettings>

export const getPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'My browsers that receive notifications while Parley is closed, and what was delivered to them lately.',
  reply: PushSettings,
})

const KEY = fieldProblem('errors.notAPushKey')
const Key = z.string(KEY).check(z.maxLength(100, KEY))

export const subscribeToPush = endpoint({
  method: 'PUT',
  path: '/api/push/subscription',
  summary:
    'Deliver notifications to this browser while Parley is closed, until its session ends. Takes what the Push API of browsers gives; an earlier subscription of this browser is replaced.',
  body: z.object({
    endpoint: z.string().check(z.minLength(1), z.maxLength(1000)),
    keys: z.object({ p256dh: Key, auth: Key }),
    /** The server's key with which it was made. */
    publicKey: Key,
    hidesText: z.optional(z.boolean()),
  }),
  status: 204,
  reply: z.undefined(),
})

export const changePush = endpoint({
  method: 'PATCH',
  path: '/api/push/subscription',
  summary: 'Choose whether notifications to this browser contain the text of messages.',
  body: z.object({ hidesText: z.boolean() }),
  status: 204,
  reply: z.undefined(),
})

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/api/push/subscription',
  summary: 'Deliver no more notifications to this browser.',
  status: 204,
  reply: z.undefined(),
})

export const testPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  summary: 'Send a notification to this browser now, and learn what its push service says.',
  reply: PushDelivery,
})

/**
 * What the service worker of a browser gets. Texts are in the person's language; `text` is as it was written, with markup.
 * Unknown fields are ignored, so that newer servers may add some.
 */
export interface PushContent {
  /** Whom it is for. The browser may belong to somebody else by now. */
  to: string
  /** The same for all notifications of one message or reminder, however often they are delivered. */
  tag: string
  title: string
  text: string
  /** Why it notifies. */
  reason?: string
  /** Where it leads. */
  path: string
  language: string
  direction: 'ltr' | 'rtl'
  /** Tags of earlier notifications that are read meanwhile, or no longer exist. */
  closes?: string[]
  /** By which rule a message notifies. */
  rule?: NotifyingRule
  message?: PushedMessage
  actions?: PushActions
  /** Notifications that wait in Parley, for the badge of the app. */
  badge?: number
}

/** Where a message is. */
export interface PushedMessage {
  id: string
  channelId: string
  threadId: string | null
  seq: number
  /** The thread that a reply goes to, null for the conversation itself. Missing if its person may not reply, or texts are hidden. */
  replyTo?: string | null
}

/** What can be done with a message without opening Parley: the labels of the buttons, and what is said if that fails. */
export interface PushActions {
  reply: string
  replyPlaceholder: string
  /** The reply was kept on the device. */
  replyKept: string
  /** It could be neither sent nor kept. */
  replyFailed: string
  read: string
  readFailed: string
}
