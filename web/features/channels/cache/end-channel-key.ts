/** Under this key a mutation ends a channel for me: what it brings about is no news to whoever began it. */
export const endChannelKey = (channelId: string) => ['end-channel', channelId] as const
