import { limits } from '#contract/limits'
import { fileNames, tooLarge, tooLargeText } from '../../api-client/upload-limits.ts'
import { t } from '../../i18n/text.ts'

interface Partition {
  accepted: File[]
  /** Why the others were refused, one sentence per reason. */
  problem: string | undefined
}

/**
 * Refuses files that the server would refuse, before anything is sent.
 * @param before how many files are chosen already
 * @param maxBytes the maximum size of a file; undefined if unknown, then only the server checks
 */
export function partitionFiles(files: readonly File[], before: number, maxBytes: number | undefined): Partition {
  const large = tooLarge(files, maxBytes)
  const small = files.filter(({ size }) => size === 0)
  const fitting = files.filter((file) => !large.includes(file) && !small.includes(file))
  const accepted = fitting.slice(0, Math.max(0, limits.filesAtOnce - before))
  const reasons = [
    tooLargeText(large, maxBytes),
    small.length > 0 && t('files.tooSmall', { files: fileNames(small) }),
    accepted.length < fitting.length && t('files.tooMany', { max: limits.filesAtOnce }),
  ]
  return { accepted, problem: reasons.filter(Boolean).join(' ') || undefined }
}
