/** Why what another app shared could not be taken: the end of the address /share?failed=. The server answers `unready` as well. */
export const shareFailures = ['unready', 'unreadable', 'empty', 'tooLong', 'tooMany', 'tooLarge', 'full'] as const
export type ShareFailure = (typeof shareFailures)[number]
