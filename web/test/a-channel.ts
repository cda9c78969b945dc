import type { Channel } from '#contract/channels'

/** A public channel of ada's that I am in, with some fields overridden. */
export const aChannel = (overrides: Partial<Channel> = {}): Channel => ({
  id: 'c',
  kind: 'public',
  name: 'talk',
  isPrivate: false,
  isGeneral: false,
  topic: '',
  ownerId: 'ada',
  createdAt: '',
  archivedAt: null,
  posting: 'all',
  posters: [],
  areRepliesOpen: true,
  broadcasting: 'all',
  linkPreviews: true,
  lastMessageAt: null,
  seq: 0,
  rev: 1,
  _count: { members: 2 },
  members: [],
  isMember: true,
  muted: false,
  ...overrides,
})
