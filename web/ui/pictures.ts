import { useEffect, useSyncExternalStore } from 'react'
import { createWatchers } from './watchers.ts'

/** The pictures of people, by id: null for those who have none. Outside of React, because every message shows one. */
const urls = new Map<string, string | null>()
const { watch, notify } = createWatchers()
let want: ((userId: string) => void) | undefined

/** Stores pictures from the directory or an event. */
export function notePictures(people: readonly { id: string; avatarUrl: string | null }[]) {
  let isChanged = false
  for (const { id, avatarUrl } of people) {
    if (urls.get(id) === avatarUrl) continue
    urls.set(id, avatarUrl)
    isChanged = true
  }
  if (isChanged) notify()
}

/** @param ask called for each person on screen whose picture is unknown */
export function askForPictures(ask: typeof want) {
  want = ask
  notify()
}

export function usePicture(userId: string) {
  const url = useSyncExternalStore(watch, () => urls.get(userId))
  const ask = useSyncExternalStore(watch, () => want)
  useEffect(() => {
    if (url === undefined) ask?.(userId)
  }, [url, ask, userId])
  return url
}

/** The picture with a side of 48, 96 or 256 pixels. */
export const pictureOf = (url: string, side: 48 | 96 | 256) => url.replace(/\d+$/, String(side))
