import { setTimeout as sleep } from 'node:timers/promises'
import { openPopulatedServer, type PopulatedServer } from '../live/populated-server.ts'
import { type ServerProcess, type Swarm, startParley, startSwarm } from '../live/start-servers.ts'

/** A workspace with two nodes. */
export interface TwoNodes extends Omit<PopulatedServer, 'restart' | 'parley'> {
  nodes: [ServerProcess, ServerProcess]
  /** Kills both and restarts them with other settings, and another program if given. */
  replace(settings: [NodeJS.ProcessEnv, NodeJS.ProcessEnv], program?: string): Promise<void>
  /** Restarts a stopped node on its port, and waits until the nodes know each other. */
  start(which: 0 | 1): Promise<void>
}

/** @param people their number; see ../live/populate.ts */
export async function openTwoNodes(people: number, flags: string[]): Promise<TwoNodes> {
  const { parley, ...server } = await openPopulatedServer(people, flags)
  let settings: [NodeJS.ProcessEnv, NodeJS.ProcessEnv] = [{}, {}]
  let program: string | undefined
  const open = (which: 0 | 1, port = 0) => startParley({ ...server.env, ...settings[which] }, port, flags, program)
  try {
    const nodes: TwoNodes['nodes'] = [parley, await open(1)]
    const kill = () => Promise.all(nodes.map((node) => node.kill()))
    server.closing.push(kill)
    await untilPeers(nodes)
    return {
      ...server,
      nodes,
      async replace(other, otherProgram) {
        settings = other
        program = otherProgram
        await kill()
        for (const which of [0, 1] as const) nodes[which] = await open(which)
      },
      async start(which) {
        nodes[which] = await open(which, nodes[which].port)
        await untilPeers(nodes)
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Waits until all these nodes know each other, and no others. */
export async function untilPeers(nodes: ServerProcess[]) {
  for (const { port } of nodes) while ((await metricOf(port, 'parley_nodes')) !== nodes.length) await sleep(50)
}

/** A metric without labels. */
export async function metricOf(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

/** Connects sockets to a node that follow `general`. @param reconnects whether to reconnect and fetch missed messages */
export async function gatherInGeneral(
  { database, people, general }: TwoNodes,
  node: ServerProcess,
  sockets: number,
  reconnects = false,
): Promise<Swarm> {
  const { rows } = await database.pool.query<{ rev: number }>('select rev from channels where id = $1', [general])
  const swarm = startSwarm()
  const users = Array.from({ length: sockets }, (_, n) => people[n % people.length] as (typeof people)[number])
  const tokens = users.map(({ token }) => token)
  const revs = { [general]: rows[0]?.rev as number }
  await swarm.gather({ ports: [node.port], tokens, revs, inside: tokens.map(() => [0]), reconnects })
  return swarm
}
