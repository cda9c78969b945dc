import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../support/cleanup.ts'
import { freePort } from '../support/free-port.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'
import { findProgram } from './find-program.ts'

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/** The path of Redis; undefined if it is not available. */
export const redisProgram = findProgram('redis-server')

/** A real local Redis without persistence, on the same port across restarts; stopped when the test file ends. */
export async function startRedis(...settings: string[]) {
  const port = await freePort()
  let child: ChildProcess

  async function start() {
    let output = ''
    const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
    child = spawn(redisProgram as string, [...fixed, ...settings])
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    for (const end = Date.now() + STATE_TIMEOUT_MS; !/ready to accept connections/i.test(output); await sleep(5))
      if (Date.now() > end || child.exitCode !== null) throw new Error(`Redis did not start: ${output}`)
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL') {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await start()
  atEnd(() => kill())
  return {
    address: `http://127.0.0.1:${port}`,
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    /** Suspends it: it accepts connections but never responds. Returns a function that resumes it. */
    freeze() {
      child.kill('SIGSTOP')
      return () => child.kill('SIGCONT')
    },
  }
}
