import { serverNow } from './clock.ts'

/** 'Nov 12', or 'Nov 12, 2025' in another year. */
export function shortDate(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })
}
