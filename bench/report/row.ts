/** Milliseconds. */
export interface Times {
  p50: number
  p95: number
  p99: number
  max: number
}

/** A row's aim. */
export interface Aim {
  of: 'ratio' | 'p50Ratio' | 'value' | 'p95'
  is: '≥' | '≤'
  bound: number
}

/** One measurement, as plain data. Fields that were not measured are absent. */
export interface Row {
  name: string
  /** The unit of values: '/s', 'MB/s', 's', 'ms', 'MB', '%' … */
  unit: string
  value: number
  /** The ceiling, measured in the same run. */
  ceiling?: { name: string; value: number; times?: Times }
  /** value : ceiling, the median of pairs measured one after the other. */
  ratio?: number
  /** p50 : the ceiling's p50, likewise. */
  p50Ratio?: number
  times?: Times
  /** Wrong responses; any of them aborts the run. */
  errors?: number
  /** CPU seconds of Parley and PostgreSQL together, per thousand responses. */
  cpu?: number
  aim?: Aim
}

export const atLeast = (bound: number, of: Aim['of'] = 'ratio'): Aim => ({ of, is: '≥', bound })
export const atMost = (bound: number, of: Aim['of'] = 'ratio'): Aim => ({ of, is: '≤', bound })

/** Converts a row of rates to megabytes: each response or request has `size` bytes. */
export function inMegabytes(row: Row, size: number): Row {
  const scaled = (perSecond: number) => (perSecond * size) / 1e6
  const { ceiling } = row
  const rest = ceiling && { ceiling: { ...ceiling, value: scaled(ceiling.value) } }
  return { ...row, unit: 'MB/s', value: scaled(row.value), ...rest }
}

/** Whether a row meets its aim; undefined if it has none. */
export function isMet({ aim, value, ratio, p50Ratio, times }: Row): boolean | undefined {
  if (!aim) return undefined
  const found = { value, ratio, p50Ratio, p95: times?.p95 }[aim.of]
  if (found === undefined) throw new Error(`an aim for ${aim.of}, which was not measured`)
  return aim.is === '≥' ? found >= aim.bound : found <= aim.bound
}

const head = ['row', 'ceiling', 'Parley', 'ratio', 'p50 ratio', 'aim', 'met', 'p50 / p95 / p99 / max, ms', 'errors']

/** The table's head, in Markdown; `lineOf` gives its lines. */
export const tableHead = [
  `| ${[...head, 'CPU s per 1,000'].join(' | ')} |`,
  '|---|---:|---:|---:|---:|---|---|---:|---:|---:|',
].join('\n')

export function lineOf(row: Row): string {
  const { name, unit, value, ceiling, ratio, p50Ratio, times, errors, cpu, aim } = row
  const words = { ratio: '', p50Ratio: 'p50 ratio ', value: '', p95: 'p95 ' }
  const cells = [
    name,
    ceiling && `${ceiling.name} ${amount(ceiling.value, unit)}`,
    amount(value, unit),
    ratio && `**${ratio.toFixed(2)}**`,
    p50Ratio?.toFixed(2),
    aim && `${words[aim.of]}${aim.is} ${aim.bound}`,
    aim && (isMet(row) ? 'yes' : 'no'),
    times && [times.p50, times.p95, times.p99, times.max].map((ms) => number(ms)).join(' / '),
    errors?.toString(),
    cpu?.toFixed(3),
  ]
  return `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
}

const amount = (value: number, unit: string) => `${number(value)}${unit.startsWith('/') ? '' : ' '}${unit}`

/** Three significant digits: a shared machine is no more precise. */
function number(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
