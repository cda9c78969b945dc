import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { openDisk } from './disk.ts'
import { openBucket } from './s3.ts'
import type { Storage } from './storage.ts'

/** Opens the storage of one workspace: a bucket where one is configured, else a folder on disk. */
export function openStorage(config: Config, filesId: string): Storage {
  if (config.s3) return openBucket(config.s3, filesId, config.maxFileSize)
  return openDisk(join(config.dataDir, 'files', filesId))
}
