/** When a status ends: in minutes, with the day or the week, at a custom time, or never. */
export type StatusEnd = 'never' | '30' | '60' | '240' | 'today' | 'week' | 'custom'
export const statusEnds: readonly StatusEnd[] = ['never', '30', '60', '240', 'today', 'week', 'custom']

/** @param custom the value of a `datetime-local` field */
export function endOf(choice: StatusEnd, now: Date, custom = ''): Date | null {
  if (choice === 'never') return null
  if (choice === 'today') return endOfDay(now, 0)
  // A week ends on Sunday.
  if (choice === 'week') return endOfDay(now, (7 - now.getDay()) % 7)
  if (choice === 'custom') return custom === '' ? null : new Date(custom)
  return new Date(now.getTime() + Number(choice) * 60_000)
}

const endOfDay = (now: Date, days: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59, 59, 999)
