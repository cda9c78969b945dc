/** Milliseconds that a state is waited for: it comes at once, but not on a machine that does much else. */
export const STATE_TIMEOUT_MS = 30_000
