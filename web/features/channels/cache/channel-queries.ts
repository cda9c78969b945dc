import { queryOptions } from '@tanstack/react-query'
import { type Channel, getChannel, listChannels } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { fetchAllPages } from '../../../api-client/fetch-all-pages.ts'
import { compareNames } from '../../../i18n/format.ts'

/** By id. */
type Channels = Record<string, Channel>

/** The server's versions when the list of channels was fetched; set by that query. */
export const snapshotVersion = queryOptions<{ epoch: string; peopleVersion: number }>({ queryKey: ['numbers'] })

/** Every channel and direct message that I can see. */
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
    // A channel created meanwhile shifts the others, so one may be on two pages.
    const all: Channels = {}
    for (const { channels, directMessages } of pages)
      for (const channel of [...channels, ...directMessages]) all[channel.id] = channel
    return all
  },
})

/** Channels without direct messages, by name. */
const selectShared = (all: Channels) =>
  Object.values(all)
    .filter(({ kind }) => kind !== 'direct')
    .sort((a, b) => compareNames(a.name, b.name))
export const sharedChannels = queryOptions({ ...allChannels, select: selectShared })

/** Direct messages: the assistant first, then the most recent. */
const selectDirect = (all: Channels) =>
  Object.values(all)
    .filter(({ kind }) => kind === 'direct')
    .sort(
      (a, b) =>
        Number(isWithAssistant(b)) - Number(isWithAssistant(a)) || Date.parse(activeAt(b)) - Date.parse(activeAt(a)),
    )
export const directMessages = queryOptions({ ...allChannels, select: selectDirect })

/** The sidebar's sections from top to bottom; every channel is in one of them. */
export const sidebarSections = queryOptions({
  ...allChannels,
  select: (all: Channels) => {
    const [shared, direct] = [selectShared(all), selectDirect(all)]
    const isOther = ({ isFavorite, archivedAt }: Channel) => !isFavorite && !archivedAt
    const others = shared.filter(isOther)
    return {
      favorites: [...shared, ...direct].filter(({ isFavorite, archivedAt }) => isFavorite && !archivedAt),
      channels: others.filter(({ isMember }) => isMember),
      notJoined: others.filter(({ isMember }) => !isMember),
      archived: shared.filter(({ archivedAt }) => archivedAt),
      // A direct message is archived once there is nobody left to write to. It stays here.
      direct: direct.filter((channel) => channel.archivedAt || isOther(channel)),
    }
  },
})

/** Channel ids by lower-case name; the same object until a name changes. */
export const channelIds = queryOptions({
  ...allChannels,
  select: (all: Channels) =>
    Object.fromEntries(
      Object.values(all)
        .filter(({ kind }) => kind !== 'direct')
        .map(({ name, id }) => [name.toLowerCase(), id]),
    ),
})

/** Whether a direct message is with the assistant alone. */
export const isWithAssistant = ({ members }: Channel) =>
  members.length === 2 && members.some(({ id }) => id === ASSISTANT)

const activeAt = ({ lastMessageAt, createdAt }: Channel) => lastMessageAt ?? createdAt

/** One channel, which may not be in the list yet. */
export const channelById = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'facts'] as const,
    queryFn: () => call(getChannel, { params: { channelId } }),
  })
