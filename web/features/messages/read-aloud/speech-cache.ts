import { openCache } from '../../../ui/device/clear-storage.ts'

/** The browser's cache of generated speech. */
export const openSpeechCache = () => openCache('tts-cache-v1')
