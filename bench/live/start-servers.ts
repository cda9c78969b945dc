import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { portOf } from '../setup/start-parley.ts'
import type { Template } from './bare-socket-io.ts'
import type { DeliveryAccount, Order, SwarmProgress } from './socket-swarm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const PROBE = ['--import', here('memory-probe.ts')]

export interface ServerProcess {
  port: number
  pid: number
  /** Bytes, after a collection. */
  memory(): Promise<NodeJS.MemoryUsage>
  /** Kills it. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts Parley; it exits with this process. @param program a program that prints its address like the server */
export async function startParley(
  env: NodeJS.ProcessEnv,
  port = 0,
  flags: string[] = [],
  program = 'server/main.ts',
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...flags, ...PROBE, program], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  return toServerProcess(child, await portOf(child))
}

export async function startBare(kind: 'socket.io' | 'ws', template: Template): Promise<ServerProcess> {
  const child = fork(here('bare-socket-io.ts'), [kind], { execArgv: PROBE })
  const { port } = await request<{ port: number }>(child, { template })
  return toServerProcess(child, port)
}

function toServerProcess(child: ChildProcess, port: number): ServerProcess {
  return {
    port,
    pid: child.pid as number,
    memory: async () => (await request<{ memory: NodeJS.MemoryUsage }>(child, 'memory')).memory,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  }
}

export type Swarm = ReturnType<typeof startSwarm>

export function startSwarm() {
  const child = fork(here('socket-swarm.ts'))
  async function order<T>(what: Order): Promise<T> {
    const { answer, error } = await request<{ answer: T; error?: string }>(child, what)
    if (error) throw new Error(error)
    return answer
  }
  return {
    gather: (what: Omit<Extract<Order, { do: 'gather' }>, 'do'>) =>
      order<{ seconds: number }>({ do: 'gather', ...what }),
    until: (messages: number, timeoutMs: number) => order<DeliveryAccount>({ do: 'until', messages, timeoutMs }),
    progress: () => order<SwarmProgress>({ do: 'progress' }),
    turnTo: (ports: number[]) => order<object>({ do: 'turn', ports }),
    leave: () => order<object>({ do: 'leave' }),
    stop: () => end(child, 'SIGTERM'),
  }
}

/** Sends a message to a process and returns its reply. @throws Error if it exits first */
async function request<T>(child: ChildProcess, what: object | string): Promise<T> {
  const gone = new AbortController()
  const onExit = () => gone.abort(new Error(`${child.spawnargs.join(' ')} ended`))
  child.once('exit', onExit)
  try {
    const answer = once(child, 'message', { signal: gone.signal })
    child.send(what)
    return ((await answer) as [T])[0]
  } finally {
    child.off('exit', onExit)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
