import type { QueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { allUsers, profileOf } from '../people/user-queries.ts'
import { askForPictures, notePictures } from '../ui/pictures.ts'

/** Stores the pictures of all cached people; until the directory has loaded, of those in direct messages. */
export function followPictures(client: QueryClient) {
  const lookUp = (userId: string) =>
    void client.fetchQuery(profileOf(userId)).catch((error) => console.error('Failed to load a profile:', error))
  client.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
    if (type !== 'updated') return
    const [kind, id] = queryKey
    if (kind === allUsers.queryKey[0] && state.data) {
      const people = [state.data].flat() as Profile[]
      notePictures(people)
      // A directory longer than one response is incomplete.
      if (!id && people.length >= limits.people) askForPictures(lookUp)
    }
    if (kind === allChannels.queryKey[0] && !client.getQueryData(allUsers.queryKey))
      notePictures(Object.values(client.getQueryData(allChannels.queryKey) ?? {}).flatMap(({ members }) => members))
  })
}
