import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/postgres/embedded-postgres.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { ended } from '../setup/start-parley.ts'

const PROGRAMS = ['redis-server', 'valkey-server']
const START_TIMEOUT_MS = 10_000

/** Starts a Redis or Valkey without persistence, if one is installed. @returns its URL */
export async function startRedis(cleanup: Cleanup): Promise<string | undefined> {
  const port = await freePort()
  for (const program of PROGRAMS) {
    const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    })
    const isInstalled = await new Promise<boolean>((resolve) => {
      child.once('spawn', () => resolve(true))
      child.once('error', () => resolve(false))
    })
    if (!isInstalled) continue
    await cleanup.add(() => ended(child, () => child.kill('SIGTERM')))
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(50))
      if (await isListening(port)) return `redis://127.0.0.1:${port}`
  }
  return undefined
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(port, '127.0.0.1')
    probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
