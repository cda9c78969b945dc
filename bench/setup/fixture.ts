import type { Outcome } from '../load/jobs.ts'
import type { Pace } from '../report/measure.ts'
import { type Corpus, makeCorpus } from './message-corpus.ts'
import { createFilledChannel, type SignedUpUser, signUp } from './sign-up-people.ts'
import type { Workbench } from './workbench.ts'

/** The setup that rows share: servers, people, and acknowledged messages. */
export interface Fixture {
  bench: Workbench
  pace: Pace
  people: SignedUpUser[]
  tokens: string[]
  /** Creates a channel of everyone with `count` messages, and returns its id. */
  fill(name: string, count: number): Promise<string>
  /** Created once and shared, because it takes minutes. */
  corpus(): Promise<Corpus>
  /** The acknowledged messages, for the final check. */
  sent: Outcome[]
}

const PEOPLE = 20

export async function createFixture(bench: Workbench, pace: Pace): Promise<Fixture> {
  const { pool } = bench.database
  const people = await signUp(bench.parley, PEOPLE)
  const ids = people.map(({ id }) => id)
  let corpus: Promise<Corpus> | undefined
  return {
    bench,
    pace,
    people,
    tokens: people.map(({ token }) => token),
    fill: (name, count) => createFilledChannel(pool, name, ids, count),
    corpus() {
      corpus ??= makeCorpus(pool, people, pace.messages)
      return corpus
    },
    sent: [],
  }
}
