import { notificationBody } from '../ui/format/notification-body.ts'

/** A notification of the browser, and where it leads. */
export interface Shown {
  title: string
  options: NotificationOptions & { timestamp: number; renotify: boolean }
}

/** What the server knows of a notification, as the worker keeps it with what it shows. */
export interface ShownData {
  path: string
  message?: { id: string; channelId: string; threadId: string | null; seq: number }
}

const PRODUCT = 'Parley'
const LOOKS = { icon: '/icon-192.png', badge: '/icon-monochrome.png' }
const HOME: ShownData = { path: '/' }

/**
 * What to show for what was pushed: `PushContent` of the server, maybe of another version.
 * @param now Unix time in milliseconds
 */
export function shownOf(pushed: unknown, now: number): Shown {
  const { tag, title, text, reason, language, direction, path, message } = fieldsOf(pushed)
  // Browsers punish pushes that show nothing.
  if (!isText(title)) return neutral(now)
  const data: ShownData = { path: ownPath(path), ...(isMessage(message) && { message }) }
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
      data,
    },
  }
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

function isMessage(value: unknown): value is NonNullable<ShownData['message']> {
  const { id, channelId, threadId, seq } = fieldsOf(value)
  return isText(id) && isText(channelId) && (threadId === null || isText(threadId)) && typeof seq === 'number'
}
