import type { Omission, OmissionReport } from './records.ts'

const MAX_EXAMPLES = 3
const EXAMPLE_CHARACTERS = 200

export interface OmissionCounts extends OmissionReport {
  all(): { omission: Omission; count: number; examples: string[] }[]
}

/** Counts omitted content, most frequent first, with a few examples of each kind. */
export function createOmissionCounts(): OmissionCounts {
  const counts = new Map<Omission, { count: number; examples: string[] }>()
  return {
    add(omission, example) {
      const known = counts.get(omission) ?? { count: 0, examples: [] }
      known.count++
      const text = example.replaceAll('\0', '').slice(0, EXAMPLE_CHARACTERS).toWellFormed()
      if (text && known.examples.length < MAX_EXAMPLES && !known.examples.includes(text)) known.examples.push(text)
      counts.set(omission, known)
    },
    all: () =>
      [...counts].map(([omission, known]) => ({ omission, ...known })).sort((one, other) => other.count - one.count),
  }
}
