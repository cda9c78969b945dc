/** Has a folder for each release, with a small workspace in the format of snapshots (scripts/release/keep-state.ts). */
export const RELEASES = import.meta.dirname
