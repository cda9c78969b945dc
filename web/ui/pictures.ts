import { useEffect, useSyncExternalStore } from 'react'
import { createWatchers } from './watchers.ts'

/** The pictures of people, by id: null for those who have none. Outside of React, because every message shows one. */
const urls = new Map<string, string | null>()
/** The numbers of their colours, by id. */
const colors = new Map<string, number>()
/** How often those that failed to load have been tried again. */
let retries = 0
const { watch, notify } = createWatchers(() => {
  window.addEventListener('online', retryPictures)
  return () => window.removeEventListener('online', retryPictures)
})
let want: ((userId: string) => void) | undefined
const useNoted = <T>(get: () => T) => useSyncExternalStore(watch, get, get)

interface Pictured {
  id: string
  avatarUrl?: string | null | undefined
  color?: number | null | undefined
}

/** Stores pictures and colours from the directory or an event, which may lack either. */
export function notePictures(people: readonly Pictured[]) {
  let isChanged = false
  for (const { id, avatarUrl, color } of people) {
    const isNew = typeof color === 'number' && colors.get(id) !== color
    if (isNew) colors.set(id, color)
    const isOther = avatarUrl !== undefined && urls.get(id) !== avatarUrl
    if (isOther) urls.set(id, avatarUrl)
    isChanged ||= isNew || isOther
  }
  if (isChanged) notify()
}

/** Forgets pictures and colours; those of people on screen are asked for again. */
export function forgetPictures(isForgotten: (userId: string) => boolean = () => true) {
  const forgotten = [...urls.keys(), ...colors.keys()].filter(isForgotten)
  for (const id of forgotten) {
    urls.delete(id)
    colors.delete(id)
  }
  if (forgotten.length > 0) notify()
}

/** Tries to load those that failed again; also called when the network is back. */
export function retryPictures() {
  retries++
  notify()
}

export const usePictureRetries = () => useNoted(() => retries)

/** @param ask called for each person on screen whose picture is unknown */
export function askForPictures(ask: typeof want) {
  want = ask
  notify()
}

export function usePicture(userId: string) {
  const url = useNoted(() => urls.get(userId))
  const ask = useNoted(() => want)
  useEffect(() => {
    if (url === undefined) ask?.(userId)
  }, [url, ask, userId])
  return url
}

/** The number of a person's colour; undefined while unknown. */
export const useColor = (userId: string) => useNoted(() => colors.get(userId))

/** The address of a person's picture, if they have one and it is known. */
export const knownPicture = (userId: string) => urls.get(userId) ?? undefined

/** The picture with a side of 48, 96 or 256 pixels. */
export const pictureOf = (url: string, side: 48 | 96 | 256) => url.replace(/\d+$/, String(side))
