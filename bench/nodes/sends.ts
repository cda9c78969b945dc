import type { Job, Outcome } from '../load/jobs.ts'
import { median } from '../report/measure.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { contentsToSend, createFilledChannel } from '../setup/sign-up-people.ts'
import { startGenerator } from '../setup/workbench.ts'
import type { TwoNodes } from './two-nodes.ts'

/** Connections of both generators together. */
const SENDERS = 64
const CHANNELS = 50

interface TwoNodeSends {
  /** Sends per second, medians over the rounds; the ratio is computed within a round. */
  two: number
  one: number
  ratio: number
}

/**
 * Durable sends to the same channels, over two nodes and over one.
 * @throws Error if any was refused
 */
export async function measureSendsOfTwo(
  nodes: TwoNodes,
  cleanup: Cleanup,
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
): Promise<TwoNodeSends> {
  const generators = [await startGenerator(cleanup), await startGenerator(cleanup)]
  const people = nodes.people.slice(0, SENDERS)
  const ids = people.map(({ id }) => id)
  const channels: string[] = []
  for (let n = 0; n < CHANNELS; n++)
    channels.push(await createFilledChannel(nodes.database.pool, `both-${n}`, ids, 100))
  let runs = 0
  const jobFor = (port: number, length: number): Job => ({
    kind: 'calls',
    seconds: length,
    port,
    connections: SENDERS / generators.length,
    tokens: people.map(({ token }) => token),
    load: {
      ...{ kind: 'sends', path: '/api/messages', channels, contents: contentsToSend(500) },
      ...{ run: `both-${runs++}`, isStored: true },
    },
  })
  const rateOn = async (ports: [number, number], length: number) => {
    const outcomes = await Promise.all(generators.map((generate, n) => generate(jobFor(ports[n] as number, length))))
    return outcomes.reduce((sum, outcome) => sum + rateOf(outcome), 0)
  }
  const [a, b] = nodes.nodes
  await rateOn([a.port, b.port], warmUp)
  const taken: { two: number; one: number }[] = []
  for (let round = 0; round < rounds; round++)
    taken.push({ one: await rateOn([a.port, a.port], seconds), two: await rateOn([a.port, b.port], seconds) })
  return {
    two: median(taken.map(({ two }) => two)),
    one: median(taken.map(({ one }) => one)),
    ratio: median(taken.map(({ two, one }) => two / one)),
  }
}

function rateOf({ rate, wrong, firstWrong }: Outcome) {
  if (wrong > 0) throw new Error(`${wrong} answers were wrong; the first: ${firstWrong}`)
  return rate
}
