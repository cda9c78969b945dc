import type { QueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { allUsers, profileOf } from '../people/user-queries.ts'
import { askForPictures, forgetPictures, notePictures, retryPictures } from '../ui/pictures.ts'

const [USERS] = allUsers.queryKey
const [CHANNELS] = allChannels.queryKey
const idsOf = (people: readonly Profile[] = []) => new Set(people.map(({ id }) => id))

/**
 * Stores the pictures of all cached people; until the directory has loaded, of those in direct messages. Forgets those of people who
 * leave the directory, and all when the cache is cleared because the user changes.
 */
export function followPictures(client: QueryClient) {
  // Cached profiles may be of before a lost connection.
  const lookUp = (userId: string) =>
    void client
      .fetchQuery({ ...profileOf(userId), staleTime: 0 })
      .catch((error) => console.error('Failed to load a profile:', error))
  let listed: Set<string> | undefined
  const noteDirectory = (people: readonly Profile[]) => {
    const [before, now] = [listed, idsOf(people)]
    listed = now
    forgetPictures((id) => !now.has(id) && before?.has(id) !== false)
    // A directory longer than one response is incomplete.
    if (people.length >= limits.people) askForPictures(lookUp)
  }
  client.getQueryCache().subscribe((event) => {
    const { queryKey, state } = event.query
    const [kind, id] = queryKey
    if (event.type === 'removed' && !id && (kind === USERS || kind === CHANNELS)) {
      listed = undefined
      askForPictures(undefined)
      forgetPictures()
    }
    // While a query is fetched, its data is an older response.
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (kind === USERS && state.data) {
      const people = [state.data].flat() as Profile[]
      notePictures(people)
      if (!id) noteDirectory(people)
    }
    if (kind === CHANNELS && !client.getQueryData(allUsers.queryKey))
      notePictures(Object.values(client.getQueryData(allChannels.queryKey) ?? {}).flatMap(({ members }) => members))
  })
}

/** After a lost connection, pictures outside of the directory may have changed, and those that failed may load. */
export function recheckPictures(client: QueryClient) {
  const listed = idsOf(client.getQueryData(allUsers.queryKey))
  if (listed.size > 0) forgetPictures((id) => !listed.has(id))
  retryPictures()
}
