/**
 * What the service worker tells the pages about notifications that were pushed. `open`, `arriving` and `awake` are answered at the port
 * that comes with them.
 */
export type PushMessage =
  /** A notification was clicked: show a page. Answered with true. */
  | { kind: 'push: open'; path: string }
  /** A notification is about to be shown. Answered with whether the page has been showing it, and closed it now. */
  | { kind: 'push: arriving'; tag: string }
  | { kind: 'push: shown'; tag: string }
  /** Answered with true by a page of a signed-in person. */
  | { kind: 'push: awake' }
  /** The browser ended or replaced the subscription. */
  | { kind: 'push: changed' }

const KEPT = 'kept-reply:'
/** The tag of a notification that says that a reply is in the outbox. */
export const keptTag = (clientId: string) => KEPT + clientId
/** An open page shows such a reply by itself. */
export const isOfKeptReply = (tag: string) => tag.startsWith(KEPT)
/** The tag of a notification with the only copy of a reply. */
export const lostTag = (clientId: string) => `lost-reply:${clientId}`

/** Reads a message of the service worker; undefined for one of another kind. */
export function readPushMessage(data: unknown): PushMessage | undefined {
  const { kind } = (data ?? {}) as Partial<PushMessage>
  return typeof kind === 'string' && kind.startsWith('push: ') ? (data as PushMessage) : undefined
}
