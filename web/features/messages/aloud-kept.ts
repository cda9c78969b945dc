import { hush } from './audio-player-deck.ts'

/** The browser's cache of what was read aloud. */
const SOUNDS = 'tts-cache-v1'

/** There is none on an address without https, and none where the browser may not keep anything. */
export async function openKept(): Promise<Cache | undefined> {
  try {
    return await globalThis.caches?.open(SOUNDS)
  } catch (error) {
    console.error('What is read aloud cannot be kept:', error)
    return undefined
  }
}

/** Nobody listens any more, and nothing is kept of what they heard. */
export function forgetAloud() {
  hush()
  globalThis.caches?.delete(SOUNDS).catch((error) => console.error('What was read aloud is still kept:', error))
}
