/** Milliseconds that a state is waited for: it comes at once, but not on a machine that does much else. */
export const PATIENCE_MS = 30_000
