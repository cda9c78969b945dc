/** The key of mutations that leave or delete a channel: whoever started one needs no notice of its effect. */
export const endChannelKey = (channelId: string) => ['end-channel', channelId] as const
