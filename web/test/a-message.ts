import type { Message } from '#contract/messages'

/** A message by ada, with some fields overridden. */
export const aMessage = (seq: number, overrides: Partial<Message> = {}): Message => ({
  id: `id-${seq}`,
  channelId: 'c',
  threadId: null,
  userId: 'ada',
  user: { id: 'ada', username: 'ada', name: 'Ada' },
  content: `message ${seq}`,
  clientId: null,
  seq,
  rev: seq,
  createdAt: '',
  updatedAt: '',
  editedAt: null,
  deletedAt: null,
  files: [],
  mentions: [],
  broadcast: null,
  reactions: {},
  reactionCounts: {},
  replyCount: 0,
  lastReplyAt: null,
  lastRepliers: [],
  ...overrides,
})
