/** Label values in the order of the family's names. */
type Labels = readonly (string | number)[]
type Reading = number | (readonly [labels: Labels, value: number])[]

export interface Counter {
  add(labels?: Labels): void
  /** The same for labels that come often: their text is written once. */
  at(labels: Labels): () => void
}
export interface Histogram {
  /** Takes the seconds that something took. */
  at(labels: Labels): (seconds: number) => void
}

/** Seconds. What people feel lies between a frame and a second, what is promised at five. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const escaped = (value: string | number) => String(value).replace(/[\\"\n]/g, (it) => (it === '\n' ? '\\n' : `\\${it}`))

const inBraces = (names: readonly string[], labels: Labels) =>
  names.map((name, i) => `${name}="${escaped(labels[i] ?? '')}"`).join(',')

const line = (name: string, braces: string, value: number) => `${name}${braces && `{${braces}}`} ${value}`

/**
 * Numbers that are counted as things happen, or read when somebody asks, in Prometheus' text format (version 0.0.4).
 * Labels take few values: a call's template, never an address or an id.
 */
export function openMetrics() {
  const families: (() => string[])[] = []

  const family = (name: string, type: 'counter' | 'gauge' | 'histogram', help: string, read: () => string[]) =>
    families.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...read()])

  function counter(name: string, help: string, names: readonly string[] = []): Counter {
    const counts = new Map<string, { count: number }>()
    const cell = (braces: string) => {
      const found = counts.get(braces) ?? { count: 0 }
      counts.set(braces, found)
      return found
    }
    if (names.length === 0) cell('')
    family(name, 'counter', help, () => [...counts].map(([braces, { count }]) => line(name, braces, count)))
    const at = (labels: Labels) => {
      const those = cell(inBraces(names, labels))
      return () => void those.count++
    }
    return { at, add: (labels = []) => at(labels)() }
  }

  function histogram(name: string, help: string, names: readonly string[]): Histogram {
    const kept = new Map<string, { buckets: number[]; count: number; sum: number }>()
    family(name, 'histogram', help, () =>
      [...kept].flatMap(([braces, { buckets, count, sum }]) => {
        let below = 0
        return [
          ...BUCKETS.map((limit, i) => {
            below += buckets[i] as number
            return line(`${name}_bucket`, `${braces},le="${limit}"`, below)
          }),
          line(`${name}_bucket`, `${braces},le="+Inf"`, count),
          line(`${name}_sum`, braces, sum),
          line(`${name}_count`, braces, count),
        ]
      }),
    )
    return {
      at: (labels) => {
        const braces = inBraces(names, labels)
        const those = kept.get(braces) ?? { buckets: BUCKETS.map(() => 0), count: 0, sum: 0 }
        kept.set(braces, those)
        return (seconds) => {
          const bucket = BUCKETS.findIndex((limit) => seconds <= limit)
          if (bucket >= 0) (those.buckets[bucket] as number)++
          those.count++
          those.sum += seconds
        }
      },
    }
  }

  /** Read when somebody asks; `total` says that it only ever grows. */
  function reading(name: string, help: string, read: () => Reading, names: readonly string[] = []) {
    family(name, name.endsWith('_total') ? 'counter' : 'gauge', help, () => {
      const found = read()
      if (typeof found === 'number') return [line(name, '', found)]
      return found.map(([labels, value]) => line(name, inBraces(names, labels), value))
    })
  }

  const write = () => `${families.flatMap((read) => read()).join('\n')}\n`

  return { counter, histogram, reading, write }
}

export type Metrics = ReturnType<typeof openMetrics>
