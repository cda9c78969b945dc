import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { StartCommand } from './ipc.ts'

/** The processes that share this one's port. */
export interface Siblings {
  /** The number of this process, from 1. */
  number: number
  /** A new id for a live connection, which identifies the owning process. */
  newConnectionId(): string
  /** The number of the process that owns a connection; undefined if it is this one, or none. */
  ownerOf(connectionId: string | null): number | undefined
  /** The path of a process's Unix socket for the others, or its named pipe on Windows. */
  pathOf(number: number): string
  /** Another such path, to which nothing connects. */
  unusedPath: string
  /** The metrics of the other processes, as JSON. Omits those that don't answer in time. */
  readMetrics(): Promise<unknown[]>
}

/** Below the timeout of a scrape. */
const METRICS_TIMEOUT_MS = 3_000

export const METRICS_PATH = '/metrics'

export function createSiblings({ number, count, folder }: Pick<StartCommand, 'number' | 'count' | 'folder'>): Siblings {
  const pathTo = (name: string) =>
    process.platform === 'win32'
      ? `\\\\.\\pipe\\${folder.replaceAll(/\W/g, '-')}-${name}`
      : join(folder, `${name}.sock`)
  const pathOf = (number: number) => pathTo(`${number}`)

  function ownerOf(connectionId: string | null) {
    const owner = Number(/^(\d{1,2})-/.exec(connectionId ?? '')?.[1])
    return owner >= 1 && owner <= count && owner !== number ? owner : undefined
  }

  function readMetricsOf(number: number): Promise<unknown> {
    const options = { socketPath: pathOf(number), path: METRICS_PATH, signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) }
    return new Promise((resolve, reject) =>
      request({ ...options, agent: false }, (answer) => json(answer).then(resolve, reject))
        .on('error', reject)
        .end(),
    )
  }

  async function readMetrics() {
    const others = Array.from({ length: count }, (_, i) => i + 1).filter((it) => it !== number)
    const answers = await Promise.allSettled(others.map(readMetricsOf))
    return answers.filter((it) => it.status === 'fulfilled').map(({ value }) => value)
  }

  return {
    number,
    newConnectionId: () => `${number}-${randomBytes(15).toString('base64url')}`,
    ownerOf,
    pathOf,
    // A killed process leaves its sockets behind.
    unusedPath: pathTo(`unused-${process.pid}`),
    readMetrics,
  }
}
