/** How far a backup, a restore or a check is, in bytes. */
export interface Progress {
  part: 'database' | 'files'
  /** What is worked on: a table. */
  item?: string
  done: number
  total: number
}

export type OnProgress = (progress: Progress) => void

/** Adds up the bytes of a part. */
export function countProgress(part: Progress['part'], total: number, onProgress: OnProgress = () => {}) {
  let complete = 0
  const report = (bytes: number, item?: string) =>
    onProgress({ part, done: Math.min(total, complete + bytes), total, ...(item !== undefined && { item }) })
  return {
    /**
     * Begins an object.
     * @param size in bytes, perhaps an estimate
     * @returns a function to call with the length of each chunk of it
     */
    begin(size: number, item?: string) {
      let bytes = 0
      report(0, item)
      return (length: number) => {
        bytes += length
        report(Math.min(size, bytes), item)
      }
    },
    end(size: number) {
      complete += size
      report(0)
    },
  }
}
