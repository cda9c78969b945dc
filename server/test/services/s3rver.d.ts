declare module 's3rver' {
  /** The part used by the tests; the package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string }[]
    })
    store: {
      rootDirectory: string
      getResourcePath(bucket: string, key: string, resource: 'object'): string
      putObject(object: { bucket: string; key: string }): Promise<{ size: number; md5: string }>
    }
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
