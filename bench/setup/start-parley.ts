import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SERVER } from '../../scripts/run-node.mjs'
import { cpuSeconds, familyOf } from '../report/process-usage.ts'
import type { Cleanup } from './cleanup.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary folder that is removed after the run. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await cleanup.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Parley {
  pid: number
  /** On 127.0.0.1. */
  port: number
  /** Of the printed link for the first owner. */
  ownerCode?(): string | undefined
  stop(): Promise<void>
}

/**
 * Starts Parley in a separate process, and resolves when it is ready.
 * @param settings in addition to those of every server of the benchmark
 * @param flags Node flags
 */
export async function startParley(
  cleanup: Cleanup,
  settings: Record<string, string>,
  flags: string[] = [],
): Promise<Parley> {
  const server = spawnParley(process.execPath, [...flags, ...SERVER], settings)
  const stop = () => ended(server, () => server.kill('SIGTERM'))
  await cleanup.add(stop)
  let code: string | undefined
  server.stdout?.on('data', (chunk) => {
    code ??= /\/sign-up#(\S+)/.exec(String(chunk))?.[1]
  })
  const port = await portOf(server)
  return { pid: server.pid as number, port, stop, ownerCode: () => code }
}

/** The same with `npm start`, like administrators; `pid` is npm's. */
export async function startWithNpm(cleanup: Cleanup, settings: Record<string, string>): Promise<Parley> {
  const npm = spawnParley('npm', ['start'], settings)
  const pid = npm.pid as number
  const stop = async () => {
    const family = familyOf(pid)
    await ended(npm, () => npm.kill('SIGTERM'))
    // npm doesn't wait for the server, which closes its database first.
    while (cpuSeconds(family) !== undefined) await sleep(50)
  }
  await cleanup.add(stop)
  return { pid, port: await portOf(npm), stop }
}

function spawnParley(command: string, args: string[], settings: Record<string, string>) {
  const usual = {
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    RATE_LIMIT: 'off',
    LINK_PREVIEWS: 'off',
    LOG_LEVEL: 'warn',
  }
  return spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...usual, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Terminates a process and waits until it has exited. */
export async function ended(child: ChildProcess, ask: () => void) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  ask()
  await gone
}

/** Waits for the address that Parley prints when it is ready. */
export async function portOf(server: ChildProcess): Promise<number> {
  if (!server.stdout) throw new Error('Parley was started without a pipe')
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /ready: http:\/\/localhost:(\d+)/.exec(line)?.[1]
    if (!port) continue
    server.stdout.resume()
    return Number(port)
  }
  throw new Error('Parley did not start')
}
