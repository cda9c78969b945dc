/** The key of mutations that leave or delete a channel. Users who started one need no notice that the channel ended. */
export const endChannelKey = (channelId: string) => ['end-channel', channelId] as const
