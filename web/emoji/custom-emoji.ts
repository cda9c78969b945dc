import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type CustomEmoji, listEmoji } from '#contract/custom-emoji'
import { customName } from '#contract/emoji'
import type { Payload } from '#contract/events'
import { call } from '../api-client/api.ts'
import { createWatchers } from '../ui/watchers.ts'

type ByName = ReadonlyMap<string, CustomEmoji>

const NONE: ByName = new Map()
let known = NONE
const { watch, notify } = createWatchers()
const read = () => known

/** The emoji of the workspace, by name. */
export const allEmoji = queryOptions({
  queryKey: ['emoji'] as const,
  queryFn: async () => {
    const emoji: CustomEmoji[] = await call(listEmoji, {})
    setKnown(emoji)
    return emoji
  },
})

/** Renders nothing again if they are the same, such as after a reconnection. */
function setKnown(emoji: readonly CustomEmoji[]) {
  if (JSON.stringify(emoji) === JSON.stringify(currentEmoji())) return
  known = new Map(emoji.flatMap((it) => [it.name, ...it.aliases].map((name) => [name, it])))
  notify()
}

/** The emoji of the workspace as known now, by name. */
export const currentEmoji = (): CustomEmoji[] => [...new Set(known.values())]

/** Whose emoji were loaded on a connection, and their version; undefined if they may have changed since. */
let loaded: string | undefined
/** Keeps thousands of clients from loading thousands of emoji in the same moment. */
const DELAY_MS_PER_EMOJI = 5
let isWaiting = false

/** Loads the emoji, because messages contain only their names. Call it on each connection, with what the server says of them. */
export function followEmoji(client: QueryClient, { epoch, emojiVersion = 0 }: Payload<'ready'>, me: string) {
  const version = `${me} ${epoch} ${emojiVersion}`
  if (version === loaded || (emojiVersion === 0 && known.size === 0)) return
  refetchEmoji(client)
  loaded = version
}

/** Loads the emoji some time after somebody has changed them. */
export function refetchEmojiSoon(client: QueryClient) {
  if (isWaiting) return
  isWaiting = true
  setTimeout(
    () => {
      isWaiting = false
      refetchEmoji(client)
    },
    Math.random() * known.size * DELAY_MS_PER_EMOJI,
  )
}

/** Loads the emoji after a change. */
export function refetchEmoji(client: QueryClient) {
  loaded = undefined
  client
    .cancelQueries({ queryKey: allEmoji.queryKey })
    .then(() => client.fetchQuery({ ...allEmoji, staleTime: 0 }))
    .catch((error) => {
      loaded = undefined
      console.error('Failed to load emoji:', error)
    })
}

/** The workspace's emoji by all their names. Renders again when they change: messages may be shown before they are loaded. */
export const useCustomEmoji = (): ByName => useSyncExternalStore(watch, read, read)

/** Whether it is one of the workspace, which may have been removed. */
export const isCustom = (emoji: string) => emoji.startsWith(':')

/** Whether it is one that was removed from the workspace. */
export function useIsGone(emoji: string) {
  const all = useCustomEmoji()
  return isCustom(emoji) && !customIn(emoji, all)
}

/** The emoji of the workspace that a reaction or a status is; undefined if it is one of Unicode, or was removed. */
export function customIn(emoji: string, all: ByName): CustomEmoji | undefined {
  const name = customName(emoji)
  return name === undefined ? undefined : all.get(name)
}
