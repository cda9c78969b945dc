import { onSignOut } from '../../../session/sign-out-tasks.ts'

/** Stops the current playback: an audio file or a message that is read aloud. */
let stopCurrent = () => {}

/**
 * Stops whatever is playing.
 * @param stop stops the playback that the caller is about to start
 */
export function stopPlayback(stop = () => {}) {
  const stopPrevious = stopCurrent
  stopCurrent = stop
  stopPrevious()
}

onSignOut({ forget: () => stopPlayback() })
