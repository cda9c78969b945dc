/** Bounds that both sides know: the browser to guide, the server to refuse. Lengths count UTF-16 code units. */
export const limits = {
  channelName: 80,
  messageContent: 10_000,
  clientId: 64,
  page: { default: 50, max: 100 },
  username: { min: 3, max: 30 },
  personName: 80,
  password: { min: 8, max: 128 },
} as const
