/** '2026-03-01T14:05', the format of a `datetime-local` field. */
export function localTime(date: Date) {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
