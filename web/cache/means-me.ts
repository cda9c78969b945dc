import { useSyncExternalStore } from 'react'
import { ASSISTANT } from '#contract/ids'
import type { Mention } from '#contract/mentions'
import type { Message } from '#contract/messages'
import { createWatchers } from '../ui/watchers.ts'

let groups: ReadonlySet<string> = new Set()
/** As I typed them. */
let keywords: readonly string[] = []
let search: ReturnType<typeof import('./keyword-search.ts').searchFor> | undefined
let version = 0
const { watch, notify } = createWatchers()

const read = () => version

function changed() {
  version++
  notify()
}

/** Called with the ids of the groups I am in, whenever they are loaded. */
export function setMyGroups(ids: readonly string[]) {
  if (ids.join() === [...groups].join()) return
  groups = new Set(ids)
  changed()
}

/** Called with the words that notify me, whenever the session is loaded. Resolves once they are searched for. */
export async function setMyKeywords(words: readonly string[]) {
  if (words.join('\n') === keywords.join('\n')) return
  keywords = words
  try {
    const next = words.length > 0 ? (await import('./keyword-search.ts')).searchFor(words) : undefined
    if (keywords !== words) return
    search = next
    changed()
  } catch (error) {
    console.error('Failed to load the search for keywords:', error)
    // Tried again with the next session.
    if (keywords === words) keywords = []
  }
}

let isIdle = false
/** Called when this page begins or ends to be without input. */
export const setPageIdle = (now: boolean) => {
  isIdle = now
}
export const isPageIdle = () => isIdle

/** Renders again when my groups or keywords change: messages may be shown before they are loaded. */
export const useMeansMe = () => useSyncExternalStore(watch, read, read)

/** Whether a mention means me: by name, or as a member of a group. */
export const meansMe = ({ userId, isGroup }: Mention, me: string | undefined) =>
  isGroup ? groups.has(userId) : userId === me

/** The places of my keywords in a text. */
export const myKeywordsIn = (text: string) => search?.placesIn(text) ?? []

/** The first of my keywords in a message, as I typed it. What the assistant answers mentions nobody. */
export const keywordIn = ({ userId, content }: Pick<Message, 'userId' | 'content'>) =>
  userId === ASSISTANT ? undefined : search?.firstIn(content)
