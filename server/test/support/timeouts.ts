/** For waiting on a state, which comes at once except on a busy machine. */
export const STATE_TIMEOUT_MS = 30_000
