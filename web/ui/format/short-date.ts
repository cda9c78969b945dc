import { dateFormat } from '../../i18n/format.ts'
import { serverNow } from './clock.ts'

/** 'Nov 12', or 'Nov 12, 2025' in another year. */
export function shortDate(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return dateFormat({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(date)
}
