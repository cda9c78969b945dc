import { compare, comparisonRow, type LoadForRound } from '../report/measure.ts'
import { atLeast, type Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import { growCorpus } from '../setup/grown-corpus.ts'
import { jumps, reading, spreadIds, unkeptFirstPages } from './pages.ts'
import { searches } from './search.ts'

/** Factor by which the number of messages grows. */
const GROWTH = 10
const MAX_P95_MS = 50

/** Pages and searches with ten times as many messages. */
export async function* measureScale(fixture: Fixture): AsyncGenerator<Row> {
  const { bench, pace } = fixture
  const small = await fixture.corpus()
  yield* searches(fixture, small, MAX_P95_MS)
  const large = await growCorpus(bench.database.pool, small, GROWTH)
  yield* searches(fixture, large, MAX_P95_MS)

  const label = (size: number) => `of ${size.toLocaleString('en')}`
  const row = async (name: string, loadOf: (corpus: typeof small) => Promise<LoadForRound>) => {
    const [ours, beside] = [await loadOf(large), await loadOf(small)]
    const compared = await compare(bench, pace, ours, { [label(small.size)]: beside })
    return comparisonRow(`${name} ${label(large.size)}`, compared, atLeast(0.9))
  }
  yield await row(
    'first page, not kept,',
    async ({ members, largest }) =>
      (round) =>
        reading(fixture, members, largest, unkeptFirstPages(round)),
  )
  yield await row('jump to any message', async ({ members, largest, size }) => {
    const ids = await spreadIds(fixture, largest, size)
    return (round) => reading(fixture, members, largest, jumps(ids, round))
  })
}
