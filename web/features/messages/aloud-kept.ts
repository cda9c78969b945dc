import { openCache } from '../../ui/device-cleaning.ts'

/** The browser's cache of what was read aloud. */
export const openKept = () => openCache('tts-cache-v1')
