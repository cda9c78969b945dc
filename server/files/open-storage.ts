import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { openDisk } from './disk.ts'
import type { Storage } from './storage.ts'

/** Opens a workspace's storage: the bucket if one is configured, else a folder on disk. */
export async function openStorage(config: Config, filesId: string): Promise<Storage> {
  if (config.s3) {
    // Loaded lazily, because the library takes megabytes.
    const { openBucket } = await import('./s3.ts')
    return openBucket(config.s3, filesId, config.maxFileSize)
  }
  return openDisk(join(config.dataDir, 'files'), filesId, config.xAccelRedirect !== undefined)
}
