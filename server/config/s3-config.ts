export interface S3Config {
  /** Undefined means Amazon's. */
  endpoint: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
