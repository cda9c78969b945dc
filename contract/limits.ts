/** Bounds that both sides know: the browser to guide, the server to refuse. Lengths count UTF-16 code units. */
export const limits = {
  channelName: 80,
  messageContent: 10_000,
  clientId: 64,
  page: { default: 50, max: 100 },
  /** Messages that changed, beyond which a channel is read anew: when asked for one, and for each of many. */
  changes: { one: 500, each: 100 },
  syncedChannels: 200,
  /** Channels whose states are compared by one call. */
  comparedChannels: 5000,
  /** Channels that are made unread again by one call. */
  unreadAtOnce: 5000,
  username: { min: 3, max: 30 },
  personName: 80,
  topic: 250,
  /** People in one direct message besides the one who opens it; people added to a channel as it is made. */
  directOthers: 7,
  firstMembers: 100,
  /** Members named in one text; beyond them a name is only text. */
  mentions: 50,
  /** Unread mentions are counted this far. */
  mentionsCounted: 100,
  /** Different emojis on one message; people listed for each of them. */
  reactions: 50,
  reactors: 50,
  /** People shown on a parent as having replied last. */
  repliers: 3,
  /** People in one answer; further ones are found by a query. */
  people: 1000,
  query: 100,
  /** Files in one message; characters in a file's name. */
  attachments: 10,
  fileName: 255,
  /** Files that one person uploads at once. */
  uploads: 20,
  /** Files chosen for one upload, all of which come or none. */
  filesAtOnce: 100,
  /** Characters of what is looked for, results in one answer, and searches of one person that are under way at once. */
  search: { query: 1000, default: 20, max: 50, atOnce: 8 },
  /** Characters of a message that are spoken. */
  spoken: 5000,
  password: { min: 8, max: 128 },
  /** How long an invite link lives, how many it lets in, and how many of them stand at once. */
  invite: { days: { default: 7, max: 90 }, uses: { default: 10, max: 1000 }, live: 100 },
  /** Sessions of one person; the oldest make room. */
  sessions: 50,
} as const
