import type { Conversation, People } from './fixture.ts'

/** Statuses for outsider, member, former member and owner; of a direct message for outsider and member. */
type Statuses = [number, number, number, number]

export interface Row {
  input: (
    conversation: Conversation,
    people: People,
  ) => { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  private?: Statuses
  public?: Statuses
  direct?: [number, number]
  /** The workspace owner's status, if it differs from an outsider's: admins have no access to private channels. */
  admin?: number
  /** The status of a guest in no conversation, if it differs from an outsider's of a private one. */
  guest?: number
  /** The status of a guest who is a member and wrote nothing, if it differs from a member's. */
  guestMember?: number
  /** It changes at most what only its caller sees, so that others can call it in the same conversation. */
  isOwn?: boolean
  /** Everyone may know who is in the workspace. */
  showsPeople?: boolean
  /** The workspace's owner may read reported content. */
  showsReported?: boolean
  /** The workspace's owner may see the names of private channels. */
  showsNames?: boolean
}

type Expected = Pick<Row, 'private' | 'public' | 'direct'>
export const forEveryone = (status: number): Expected => ({
  private: [status, status, status, status],
  direct: [status, status],
})
/** Statuses of calls that need read access, and of calls that need membership. */
export const forReaders = (status: number): Expected => ({
  private: [404, status, 404, status],
  public: [status, status, status, status],
  direct: [404, status],
})
export const forMembers = (status: number): Expected => ({
  private: [404, status, 404, status],
  public: [403, status, 403, status],
  direct: [404, status],
})

/** The parameters of a call about the conversation, its message, or its thread. */
export const channel = ({ channelId }: Conversation) => ({ params: { channelId } })
export const message = ({ messageId }: Conversation) => ({ params: { messageId } })
export const thread = ({ messageId }: Conversation) => ({ params: { threadId: messageId } })
