import { setTimeout as sleep } from 'node:timers/promises'
import { startSwarm } from '../live/start-servers.ts'
import { cpuSeconds, familyOf, proportionalBytes } from '../report/process-usage.ts'
import { atMost, type Row } from '../report/row.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { contentsToSend, type SignedUpUser, signUp } from '../setup/sign-up-people.ts'
import { startWithNpm, temporaryFolder } from '../setup/start-parley.ts'
import { startGenerator } from '../setup/workbench.ts'

const MB = 1e6
/** Within this time the server notices that it is idle, and releases memory. */
const SETTLE_MS = 45_000
const IDLE_SECONDS = 30
const REST_AFTER_LOAD_MS = 60_000
const SENDERS = 64
const CONTENTS = 1000

interface Extent {
  /** Each signs up and opens a socket. */
  people: number
  loadSeconds: number
}
const full: Extent = { people: 500, loadSeconds: 120 }
const quick: Extent = { people: 20, loadSeconds: 5 }

/** The footprint of all idle processes of `npm start`: npm, the server and its PostgreSQL. */
export async function* measureFootprint(cleanup: Cleanup, isQuick: boolean): AsyncGenerator<Row> {
  const { people, loadSeconds } = isQuick ? quick : full
  const settings = { DATA_DIR: await temporaryFolder(cleanup), DATABASE_URL: '' }
  const { pid, port } = await startWithNpm(cleanup, settings)
  const bytes = () => proportionalBytes(familyOf(pid))
  const memory = (name: string, value: number | undefined, most: number): Row[] =>
    value === undefined ? [] : [{ name, unit: 'MB', value: value / MB, aim: atMost(most, 'value') }]

  await sleep(SETTLE_MS)
  yield* memory('memory of all processes of npm start, idle', bytes(), 150)

  const signedUp = await signUp(port, people)
  yield* await idleProcessor(pid, `processor of all when idle, just after ${people} sign-ups`)

  await sleep(SETTLE_MS)
  const before = bytes()
  const swarm = startSwarm()
  await cleanup.add(() => swarm.stop())
  const tokens = signedUp.map(({ token }) => token)
  await swarm.gather({ ports: [port], tokens, revs: {}, inside: tokens.map(() => []), reconnects: false })
  await sleep(SETTLE_MS)
  const after = bytes()
  if (before !== undefined && after !== undefined)
    yield {
      name: `memory of all processes for each of ${people} idle sockets`,
      unit: 'KB',
      value: (after - before) / people / 1000,
      aim: atMost(50, 'value'),
    }
  await swarm.leave()

  await sendAtFullLoad(cleanup, port, signedUp, loadSeconds)
  yield* memory(`memory of all processes after ${loadSeconds} s of full load`, bytes(), 300)
  await sleep(REST_AFTER_LOAD_MS)
  yield* memory('a minute later', bytes(), 200)
}

async function idleProcessor(pid: number, name: string): Promise<Row[]> {
  const family = familyOf(pid)
  const before = cpuSeconds(family)
  await sleep(IDLE_SECONDS * 1000)
  const after = cpuSeconds(family)
  if (before === undefined || after === undefined) return []
  const value = ((after - before) / IDLE_SECONDS) * 100
  return [{ name, unit: '% of a core', value, aim: atMost(0.4, 'value') }]
}

async function sendAtFullLoad(cleanup: Cleanup, port: number, people: SignedUpUser[], seconds: number) {
  const tokens = people.slice(0, SENDERS).map(({ token }) => token)
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/channels`, { headers })
  const { channels } = (await answer.json()) as { channels: { id: string }[] }
  const generate = await startGenerator(cleanup)
  const { wrong, firstWrong } = await generate({
    kind: 'calls',
    port,
    connections: SENDERS,
    tokens,
    seconds,
    load: {
      kind: 'sends',
      path: '/api/messages',
      channels: channels.map(({ id }) => id),
      contents: contentsToSend(CONTENTS),
      run: 'footprint',
      isStored: true,
    },
  })
  if (wrong > 0) throw new Error(`${wrong} answers were wrong; the first: ${firstWrong}`)
}
