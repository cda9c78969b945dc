declare module 's3rver' {
  /** The part that the tests use; the package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string }[]
    })
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
