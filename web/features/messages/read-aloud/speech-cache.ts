import { openCache } from '../../../ui/device/clear-storage.ts'

/** The browser's cache of what was read aloud. */
export const openSpeechCache = () => openCache('tts-cache-v1')
