/** Limits on what an archive may claim and contain. An archive that exceeds them is rejected as a whole. */
export interface ArchiveBounds {
  /** Files in the archive; each costs about 300 bytes of memory while it is read. */
  maxEntries: number
  /** Bytes of all files together, unpacked. */
  maxTotalBytes: number
  /** The maximum compression ratio of a file. JSON of repeated messages reaches about 100. */
  maxRatio: number
}

export const archiveBounds: ArchiveBounds = { maxEntries: 500_000, maxTotalBytes: 1024 ** 4, maxRatio: 300 }

/** Smaller files may have any ratio: even a thousand times 1 MB is quickly read. */
export const RATIO_FREE_BYTES = 16 * 1024 * 1024

/** For one JSON value of a list, or one line. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024

export const MAX_NAME_CHARACTERS = 1024

/** Channels and conversations, and people; about 600 and 300 bytes of memory each while an archive is read and imported. */
export const MAX_CHANNELS = 250_000
export const MAX_PEOPLE = 250_000

/** Custom emoji, and names of emoji; about 300 bytes each. */
export const MAX_EMOJI = 250_000

/** Members of all channels together; about 40 bytes each. */
export const MAX_MEMBERS = 2_000_000
