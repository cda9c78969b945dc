const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** '84 KB', '1.2 MB'. A kilobyte has 1000 bytes, as on the label of a disk. */
export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const rounded = unit === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10
  return `${rounded} ${units[unit]}`
}
