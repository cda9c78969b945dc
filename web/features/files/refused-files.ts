import { limits } from '#contract/limits'
import { fileNames, tooLarge, tooLargeText } from '../../api-client/upload-limits.ts'

interface Sorted {
  taken: File[]
  /** Why the others are not, a sentence for each reason. */
  problem: string | undefined
}

/**
 * Sorts out what could not be uploaded, before a byte of it is sent.
 * @param before how many files are chosen already
 * @param mostBytes of the largest file; undefined where it is not known, and the server says it
 */
export function partitionFiles(files: readonly File[], before: number, mostBytes: number | undefined): Sorted {
  const large = tooLarge(files, mostBytes)
  const small = files.filter(({ size }) => size === 0)
  const fitting = files.filter((file) => !large.includes(file) && !small.includes(file))
  const taken = fitting.slice(0, Math.max(0, limits.filesAtOnce - before))
  const reasons = [
    tooLargeText(large, mostBytes),
    small.length > 0 && `Too small: ${fileNames(small)}. An empty file cannot be uploaded.`,
    taken.length < fitting.length && `Too many files. At most ${limits.filesAtOnce} can be uploaded at once.`,
  ]
  return { taken, problem: reasons.filter(Boolean).join(' ') || undefined }
}
