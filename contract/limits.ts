/** Bounds that both sides know: the browser to guide, the server to refuse. Lengths count UTF-16 code units. */
export const limits = {
  channelName: 80,
  messageContent: 10_000,
  clientId: 64,
  page: { default: 50, max: 100 },
  /** Messages that changed, beyond which a channel is read anew: when asked for one, and for each of many. */
  changes: { one: 500, each: 100 },
  syncedChannels: 200,
  username: { min: 3, max: 30 },
  personName: 80,
  password: { min: 8, max: 128 },
} as const
