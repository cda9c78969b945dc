import type { AuditEntry } from '#contract/audit'

type Column = [name: string, value: (entry: AuditEntry) => string | number | null | undefined]

const columns: Column[] = [
  ['id', ({ id }) => id],
  ['time', ({ at }) => at],
  ['act', ({ kind }) => kind],
  ['by', ({ actor }) => actor?.username],
  ['by name', ({ actor }) => actor?.name],
  ['person', ({ person }) => person?.username],
  ['person name', ({ person }) => person?.name],
  ['channel', ({ channel }) => channel?.name],
  ['channel kind', ({ channel }) => channel?.kind],
  ['details', ({ details }) => (Object.keys(details).length > 0 ? JSON.stringify(details) : null)],
  ['address', ({ address }) => address],
  ['device', ({ device }) => device],
]

/** A line of the log as CSV; without an entry, the names of the columns. */
export const csvLine = (entry?: AuditEntry) =>
  `${columns.map(([name, value]) => cell(entry ? value(entry) : name)).join(',')}\r\n`

/**
 * Prefixes texts that a spreadsheet would take for a formula with an apostrophe, even after a semicolon or a tab, which separate
 * cells in some countries regardless of quotes.
 */
function cell(value: string | number | null | undefined) {
  const text = String(value ?? '')
  const safe = typeof value === 'string' ? text.replace(/(^|[;\t\r\n])(?=[=+\-@\t\r])/g, "$1'") : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
