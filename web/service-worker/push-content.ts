import type { PushActions, PushedMessage } from '#contract/push'
import { notificationBody } from '../ui/format/notification-body.ts'

/** A notification of the browser, and where it leads. */
export interface Shown {
  title: string
  options: NotificationOptions & { timestamp: number; renotify: boolean; actions?: readonly Button[] }
}

/** A button of a notification. Browsers that don't let people write there show a button without a field. */
interface Button {
  action: 'reply' | 'read'
  type: 'button' | 'text'
  title: string
  placeholder?: string
}

/** What the server knows of a notification, as the worker keeps it with what it shows. */
export interface ShownData {
  path: string
  /** Whom it is for. */
  to?: string
  message?: PushedMessage
  texts?: PushActions
  /** Why it notified. */
  rule?: string
  reason?: string
}

/** Of a notification with buttons. */
export type ActionableData = ShownData & Required<Pick<ShownData, 'to' | 'message' | 'texts'>>

const PRODUCT = 'Parley'
export const LOOKS = { icon: '/icon-192.png', badge: '/icon-monochrome.png' }
const HOME: ShownData = { path: '/' }

/**
 * What to show for what was pushed: `PushContent` of the server, maybe of another version.
 * @param now Unix time in milliseconds
 */
export function shownOf(pushed: unknown, now: number): Shown {
  const { tag, title, text, reason, language, direction } = fieldsOf(pushed)
  // Browsers punish pushes that show nothing.
  if (!isText(title)) return neutral(now)
  const data = dataOf(pushed)
  const actions = buttonsOf(data)
  return {
    title,
    options: {
      ...LOOKS,
      body: notificationBody(isText(text) ? text : '', isText(reason) ? reason : undefined),
      timestamp: Math.min(now, data.message ? timeOf(data.message.id) : now),
      // One that replaces another doesn't ring again.
      renotify: false,
      ...(isText(tag) && { tag }),
      ...(isText(language) && { lang: language }),
      ...((direction === 'ltr' || direction === 'rtl') && { dir: direction }),
      ...(actions.length > 0 && { actions }),
      data,
    },
  }
}

function dataOf(pushed: unknown): ShownData {
  const { to, path, message, actions, rule, reason } = fieldsOf(pushed)
  return {
    path: ownPath(path),
    ...(isText(to) && { to }),
    ...(isMessage(message) && { message }),
    ...(isTexts(actions) && { texts: actions }),
    ...(isText(rule) && { rule }),
    ...(isText(reason) && { reason }),
  }
}

/** The buttons of a notification with a message. */
export function buttonsOf(data: ShownData): Button[] {
  const { message, texts } = actionableOf({ data }) ?? {}
  if (!message || !texts) return []
  const { reply, replyPlaceholder: placeholder, read } = texts
  const toReply = { action: 'reply', type: 'text', title: reply, placeholder } as const
  return [...(message.replyTo === undefined ? [] : [toReply]), { action: 'read', type: 'button', title: read }]
}

/** What the buttons of a notification need; undefined if it has none. */
export function actionableOf({ data }: { data?: unknown }): ActionableData | undefined {
  const { to, message, texts } = fieldsOf(data)
  return isText(to) && isMessage(message) && isTexts(texts) ? (data as ActionableData) : undefined
}

/** Where a reply to a message is written. */
export function replyPathOf({ path, message: { replyTo } }: ActionableData): string {
  return replyTo ? `${ownPath(path)}&thread=${replyTo}` : ownPath(path)
}

/** The number for the app's badge; undefined if the server named none. */
export function badgeIn(pushed: unknown): number | undefined {
  const { badge } = fieldsOf(pushed)
  return typeof badge === 'number' ? badge : undefined
}

/** Whom a push is for. */
export const recipientOf = (pushed: unknown) => fieldsOf(pushed)['to']

/** The tags of earlier notifications that are read meanwhile. */
export function closedBy(pushed: unknown): string[] {
  const { closes } = fieldsOf(pushed)
  return Array.isArray(closes) ? closes.filter(isText) : []
}

/** A notification that says nothing. */
export const neutral = (now: number): Shown => ({
  title: PRODUCT,
  options: { ...LOOKS, tag: 'parley', timestamp: now, renotify: false, data: HOME },
})

/** Where a notification leads. */
export const pathOf = ({ data }: { data?: unknown }) => ownPath(fieldsOf(data)['path'])

/** A path of our own origin; otherwise the start page. */
export function ownPath(path: unknown): string {
  if (!isText(path) || !path.startsWith('/')) return HOME.path
  try {
    // Browsers read '//', '/\' and '/<tab>/' as the start of another host.
    const { origin, pathname, search, hash } = new URL(path, 'https://parley.invalid')
    const isOwn = origin === 'https://parley.invalid' && !pathname.startsWith('//')
    return isOwn ? `${pathname}${search}${hash}` : HOME.path
  } catch {
    return HOME.path
  }
}

/** When an id of a message was made: they are UUIDv7. */
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) || Number.POSITIVE_INFINITY

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isMessage(value: unknown): value is PushedMessage {
  const { id, channelId, threadId, seq, replyTo = null } = fieldsOf(value)
  const isPlace = (it: unknown) => it === null || isText(it)
  return isText(id) && isText(channelId) && isPlace(threadId) && typeof seq === 'number' && isPlace(replyTo)
}

function isTexts(value: unknown): value is PushActions {
  const { reply, replyPlaceholder, replyKept, replyFailed, read, readFailed } = fieldsOf(value)
  return [reply, replyPlaceholder, replyKept, replyFailed, read, readFailed].every(isText)
}
