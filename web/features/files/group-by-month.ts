import type { StoredFile } from '#contract/files'
import { dateFormat } from '../../i18n/format.ts'
import { groupBy } from '../../ui/group-by.ts'

/** More files than these are shown by month. */
const MAX_UNGROUPED = 20

interface FileGroup {
  /** 'November 2026'; undefined if there is only one group. */
  title: string | undefined
  files: StoredFile[]
}

/** Files by the month of their upload, in their order. */
export function groupByMonth(files: readonly StoredFile[]): FileGroup[] {
  if (files.length <= MAX_UNGROUPED) return [{ title: undefined, files: [...files] }]
  const month = dateFormat({ month: 'long', year: 'numeric' })
  const groups = groupBy(files, ({ createdAt }) => month.format(new Date(createdAt)))
  return [...groups].map(([title, files]) => ({ title, files }))
}
