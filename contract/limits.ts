/** Limits that the browser explains and the server enforces. Lengths are in UTF-16 code units. */
export const limits = {
  channelName: 80,
  messageContent: 10_000,
  clientId: 64,
  page: { default: 50, max: 100 },
  /** Changed messages per response before the channel is reloaded instead: for one channel, and for each of many. */
  changes: { one: 500, each: 100 },
  syncedChannels: 200,
  /** Channels compared in one call. */
  comparedChannels: 5000,
  /** Bytes of a body that lists thousands of things. */
  largeBody: 1024 * 1024,
  /** Channels marked as unread again in one call. */
  unreadAtOnce: 5000,
  username: { min: 3, max: 30 },
  personName: 80,
  workspaceName: 80,
  statusText: 100,
  topic: 250,
  /** Other people in a direct message; initial members of a channel. */
  directOthers: 7,
  firstMembers: 100,
  /** Members of a channel who may post although others may not. */
  posters: 50,
  /** Mentions in one text; further names are plain text. */
  mentions: 50,
  /** Unread mentions are counted up to this number. */
  mentionsCounted: 100,
  /** Words that notify one person, all of a workspace, and characters of one. */
  keywords: { own: 30, all: 50_000, length: 50 },
  /** Different emoji on one message; people listed for each. */
  reactions: 50,
  reactors: 50,
  /** Emoji of the workspace, and further names of each. */
  emoji: { all: 2000, aliases: 10 },
  /** Links of a message that get a preview; characters of such a link. */
  previews: 3,
  linkLength: 2048,
  /** Pinned messages of a channel. */
  pins: 100,
  /** Messages read by their ids in one call. */
  messagesById: 50,
  /** What one person saved for later and has not done; items of a page; characters of a reminder. */
  later: { open: 1000, page: 50, text: 500 },
  /** Earlier texts of a message that are kept; versions in one response, which is at most about a megabyte. */
  versions: { kept: 50, page: 20 },
  /** Scheduled messages of one person. */
  scheduled: 100,
  /** Latest repliers shown on a parent. */
  repliers: 3,
  /** Latest replies of a thread in the list of threads. */
  latestReplies: 2,
  /** Users in one response; the others are found by a query. */
  people: 1000,
  query: 100,
  /** Files per message; characters in a file name. */
  attachments: 10,
  fileName: 255,
  /** Concurrent uploads of one user. */
  uploads: 20,
  /** Files in one upload, which succeeds or fails as a whole. */
  filesAtOnce: 100,
  /** Characters in a query, results per response, and concurrent searches of one user. */
  search: { query: 1000, default: 20, max: 50, atOnce: 8 },
  /** Characters of a message read aloud. */
  spoken: 5000,
  password: { min: 8, max: 128 },
  /** Passkeys of one person, and characters of their names. */
  passkeys: { all: 20, name: 80 },
  /** Tokens of directories (SCIM) that are valid at once, and characters of their names. */
  provisioning: { tokens: 10, name: 80 },
  /** Days an invite link is valid, people it admits, valid links at a time, and addresses mailed in one call. */
  invite: { days: { default: 7, max: 90 }, uses: { default: 10, max: 1000 }, live: 100, mails: 20 },
  /** Channels in an invite for guests; days that guests have access. */
  guest: { channels: 20, days: { default: 30, max: 365 } },
  /** Groups in the workspace; people and groups directly in one; nesting depth. */
  group: { all: 500, people: 500, parts: 20, depth: 5 },
  /** Hours of a mute; characters of a report's reason; reports listed; open ones of one person. */
  muteHours: 8760,
  reportReason: 500,
  reports: { listed: 100, open: 50 },
  /** Days of retention; characters of the reason for a hold. */
  retention: { days: 36_500, reason: 250 },
  /** Days that people may have until everybody needs a second factor. */
  secondFactorGraceDays: 90,
  /** Days that lines of the audit log, and their addresses, can be kept. */
  audit: { days: { min: 30, max: 3_650 }, addressDays: { min: 1 } },
  /** Hours that an archive is kept, and archives of one person. */
  exports: { hours: 24, kept: 3 },
  /**
   * Days an archive is kept; people and channels listed and chosen; days a claim link is valid; gigabytes of an archive; topics that
   * can become channels.
   */
  imports: { days: 5, listed: 500, claimDays: 14, gigabytes: 100, topics: 2000 },
  /** Minutes without input, on all devices, after which people are shown as away. */
  idleMinutes: 10,
  /** Sessions of one user; a new one replaces the oldest. */
  sessions: 50,
} as const
