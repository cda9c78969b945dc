import { compare, comparisonRow, type Load, meter, runLoad } from '../report/measure.ts'
import { atLeast, type Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import { contentsToSend } from '../setup/sign-up-people.ts'

const SENDERS = 64
/** For the open loop: more than are ever in flight unless the server falls behind. */
const CONNECTIONS = 256
/** Fractions of the closed loop's rate. */
const PARTS = [0.5, 0.8]
/** Rows per insert and concurrent inserts, as in Parley's writer. */
const GROUP = { size: 50, connections: 2 }

/** Durable sends: messages are on disk when acknowledged. */
export async function* measureSends(fixture: Fixture): AsyncGenerator<Row> {
  const { bench, pace, sent } = fixture
  const inserts = await directInserts(fixture)
  for (const [place, count] of [
    ['50 channels', 50],
    ['one channel', 1],
  ] as const) {
    const channels: string[] = []
    for (let n = 0; n < count; n++) channels.push(await fixture.fill(`sends-${count}-${n}`, 100))
    const ours = (run: string) => sending(fixture, channels, `${count}-${run}`)
    const found = await compare(bench, pace, (round) => ours(`${round}`), {
      'bare Fastify’s echo': () => echoed(fixture, ours('echo')),
      'direct inserts of 50': () => inserts,
    })
    sent.push(...found.outcomes)
    const name = `durable sends, ${SENDERS} senders, ${place}`
    yield comparisonRow(name, found, atLeast(0.22))
    yield comparisonRow('the same', found, undefined, 1)
    if (count > 1) yield* openLoop(fixture, ours, found.ours.rate)
  }
}

/** Sends in an open loop at a fixed rate. */
async function* openLoop(
  { bench, pace, sent }: Fixture,
  ours: (run: string) => Calling,
  most: number,
): AsyncGenerator<Row> {
  for (const part of PARTS) {
    const perSecond = Math.round(most * part)
    const cpu = meter(bench)
    const load = { ...ours(`due-${part}`), connections: CONNECTIONS, perSecond }
    const outcome = await cpu.over(() => runLoad(bench, load, pace.seconds * 2))
    sent.push(outcome)
    const { rate, p50, p95, p99, max } = outcome
    yield {
      name: `the same, when ${part * 100} % of that rate is due`,
      unit: '/s',
      value: rate,
      ceiling: { name: 'due', value: perSecond },
      ratio: rate / perSecond,
      times: { p50, p95, p99, max },
      errors: 0,
      ...cpu.perThousand(),
    }
  }
}

/** @param run makes the keys of this run unique */
export const sending = ({ bench, tokens }: Fixture, channels: string[], run: string) =>
  ({
    kind: 'calls',
    port: bench.parley,
    connections: SENDERS,
    tokens,
    load: { kind: 'sends', path: '/api/messages', channels, contents: contentsToSend(500), run, isStored: true },
  }) satisfies Load
type Calling = ReturnType<typeof sending>

const echoed = ({ bench }: Fixture, load: Calling): Load => ({
  ...load,
  port: bench.ceilings,
  load: { ...load.load, path: '/echo', isStored: false },
})

/** Inserts into a table with the columns and indexes of `messages`. */
async function directInserts({ bench, people, fill }: Fixture): Promise<Load> {
  const { database, databaseUrl } = bench
  await database.pool.query('create table direct_inserts (like messages including all)')
  const channelId = await fill('sends-direct', 1)
  const userId = people[0]?.id as string
  const contents = contentsToSend(500)
  return { kind: 'inserts', databaseUrl, table: 'direct_inserts', contents, userId, channelId, ...GROUP }
}
