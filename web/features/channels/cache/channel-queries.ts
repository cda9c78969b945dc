import { queryOptions } from '@tanstack/react-query'
import { type Channel, getChannel, listChannels } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { fetchAllPages } from '../../../api-client/fetch-all-pages.ts'

/** By id. */
type Channels = Record<string, Channel>

/** The server's numbers as the list of channels was read; written by it. */
export const snapshotVersion = queryOptions<{ epoch: string; peopleVersion: number }>({ queryKey: ['numbers'] })

/** Every channel and direct message a person can see. */
export const allChannels = queryOptions({
  queryKey: ['channels'] as const,
  queryFn: async ({ client }) => {
    const limit = limits.page.max
    const pages = await fetchAllPages(
      (page) => call(listChannels, { query: { page, limit } }),
      ({ pagination: { total } }) => Math.ceil(total / limit),
    )
    const [{ epoch, peopleVersion }] = pages
    client.setQueryData(snapshotVersion.queryKey, { epoch, peopleVersion })
    // One made meanwhile moves the others on, so that one may stand on two pages.
    const all: Channels = {}
    for (const { channels, directMessages } of pages)
      for (const channel of [...channels, ...directMessages]) all[channel.id] = channel
    return all
  },
})

/** Of them the channels, by name. */
export const sharedChannels = queryOptions({
  ...allChannels,
  select: (all: Channels) =>
    Object.values(all)
      .filter(({ kind }) => kind !== 'direct')
      .sort((a, b) => a.name.localeCompare(b.name)),
})

/** Of them the direct messages: that with the assistant, then those in which something was said last. */
export const directMessages = queryOptions({
  ...allChannels,
  select: (all: Channels) =>
    Object.values(all)
      .filter(({ kind }) => kind === 'direct')
      .sort(
        (a, b) => Number(isWithAssistant(b)) - Number(isWithAssistant(a)) || activeAt(b).localeCompare(activeAt(a)),
      ),
})

/** Their ids by name in lower case; the same object as long as no name changes. */
export const channelIds = queryOptions({
  ...allChannels,
  select: (all: Channels) =>
    Object.fromEntries(
      Object.values(all)
        .filter(({ kind }) => kind !== 'direct')
        .map(({ name, id }) => [name.toLowerCase(), id]),
    ),
})

/** Mine with the assistant, and nobody else. */
export const isWithAssistant = ({ members }: Channel) =>
  members.length === 2 && members.some(({ id }) => id === ASSISTANT)

const activeAt = ({ lastMessageAt, createdAt }: Channel) => lastMessageAt ?? createdAt

/** One channel, which may not be in the list yet. */
export const channelById = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'facts'] as const,
    queryFn: () => call(getChannel, { params: { channelId } }),
  })
