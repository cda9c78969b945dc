import { numberFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'

const units = [
  'files.size.bytes',
  'files.size.kilobytes',
  'files.size.megabytes',
  'files.size.gigabytes',
  'files.size.terabytes',
] as const

/** '84 KB', '1.2 MB'. A kilobyte has 1000 bytes, as on the label of a disk. */
export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const maximumFractionDigits = unit === 0 || size >= 99.95 ? 0 : 1
  const factor = 10 ** maximumFractionDigits
  const rounded = Math.round(size * factor) / factor
  const number = numberFormat({ maximumFractionDigits, useGrouping: false }).format(rounded)
  return t(units[unit] ?? 'files.size.bytes', { size: number })
}
