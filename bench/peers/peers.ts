// Measures servers side by side; docs/performance/bench.md says what the rows mean and how to add a server.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from '../report/measure.ts'
import { type Cleanup, withCleanup } from '../setup/cleanup.ts'
import { type Figures, openMeasuring, type PeerPace } from './measure-peer.ts'
import type { Peer } from './peer.ts'

const { values: options } = parseArgs({
  options: {
    /** Adapters, separated by commas: names of files in this folder, or paths of others. */
    peers: { type: 'string', default: 'parley,socket-io' },
    quick: { type: 'boolean', default: false },
  },
})
const pace: PeerPace = options.quick
  ? { people: 20, senders: 10, seconds: 1, sendsPerSecond: 20 }
  : { people: 100, senders: 32, seconds: 5, sendsPerSecond: 20 }
const ROUNDS = options.quick ? 1 : 3

async function loadPeer(name: string): Promise<Peer> {
  const url = /[./\\]/.test(name) ? pathToFileURL(resolve(name)) : new URL(`${name}.ts`, import.meta.url)
  return ((await import(url.href)) as { peer: Peer }).peer
}

async function measure(cleanup: Cleanup) {
  const servers: { name: string; measureRound: () => Promise<Figures>; rounds: Figures[] }[] = []
  for (const name of options.peers.split(',')) {
    const peer = await loadPeer(name)
    const prepared = await peer.prepare(cleanup, pace.people)
    servers.push({ name: peer.name, measureRound: await openMeasuring(peer, prepared, pace), rounds: [] })
  }
  // The first round warms up: a new server's code is still being compiled.
  for (const { measureRound } of servers) await measureRound()
  // Take turns, so that a busy machine slows all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const { measureRound, rounds } of servers) rounds.push(await measureRound())
  print(servers)
}

function print(servers: { name: string; rounds: Figures[] }[]) {
  console.log(`\n| row | ${servers.map(({ name }) => name).join(' | ')} |`)
  console.log(`|---|${servers.map(() => '---:|').join('')}`)
  for (const row of Object.keys(servers[0]?.rounds[0] ?? {})) {
    const cells = servers.map(({ rounds }) => {
      const values = rounds.map((figures) => figures[row]).filter((value) => value !== undefined)
      return values.length > 0 ? number(median(values)) : ''
    })
    console.log(`| ${row.trim()} | ${cells.join(' | ')} |`)
  }
}

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)

await withCleanup(measure)
process.exit()
