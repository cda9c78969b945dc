/** What an archive may claim and contain. An archive beyond them is refused as a whole. */
export interface ArchiveBounds {
  /** Files in the archive; each costs about 300 bytes of memory while it is read. */
  maxEntries: number
  /** Bytes of all files together, unpacked. */
  maxTotalBytes: number
  /** How many times larger than its packed bytes a file may be. JSON of repeated messages reaches about 100. */
  maxRatio: number
}

export const archiveBounds: ArchiveBounds = { maxEntries: 500_000, maxTotalBytes: 1024 ** 4, maxRatio: 300 }

/** Smaller files may have any ratio: a thousand times 1 MB is still soon read. */
export const RATIO_FREE_BYTES = 16 * 1024 * 1024

/** One JSON value of a list, or one line. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024

export const MAX_NAME_CHARACTERS = 1024
