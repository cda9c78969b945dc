import { useSyncExternalStore } from 'react'
import type { Mention } from '#contract/mentions'
import { createWatchers } from '../ui/watchers.ts'

let mine: ReadonlySet<string> = new Set()
const { watch, notify } = createWatchers()
const read = () => mine

/** Called with the ids of the groups I am in, whenever they are loaded. */
export function setMyGroups(ids: readonly string[]) {
  if (ids.join() === [...mine].join()) return
  mine = new Set(ids)
  notify()
}

/** Renders again when my groups change: messages may be shown before they are loaded. */
export const useMyGroups = () => useSyncExternalStore(watch, read, read)

/** Whether a mention means me: by name, or as a member of a group. */
export const meansMe = ({ userId, isGroup }: Mention, me: string | undefined) =>
  isGroup ? mine.has(userId) : userId === me
