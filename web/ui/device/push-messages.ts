/**
 * What the service worker tells the pages about notifications that were pushed. `open` and `arriving` are answered at the port that comes
 * with them.
 */
export type PushMessage =
  /** A notification was clicked: show a page. Answered with true. */
  | { kind: 'push: open'; path: string }
  /** A notification is about to be shown. Answered with whether the page has been showing it, and closed it now. */
  | { kind: 'push: arriving'; tag: string }
  | { kind: 'push: shown'; tag: string }
  /** The browser ended or replaced the subscription. */
  | { kind: 'push: changed' }

/** Reads a message of the service worker; undefined for one of another kind. */
export function readPushMessage(data: unknown): PushMessage | undefined {
  const { kind } = (data ?? {}) as Partial<PushMessage>
  return typeof kind === 'string' && kind.startsWith('push: ') ? (data as PushMessage) : undefined
}
