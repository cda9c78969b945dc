import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import { stopSignal } from './process/stop-signal.ts'
import type { StartCommand, ToPrimary, ToProcess } from './processes/ipc.ts'
import { createSiblings } from './processes/siblings.ts'
import { serve } from './serve.ts'

// One of several processes that share a port (processes/primary.ts). If the primary process dies, they exit immediately.

/** How long a stop during the start waits for it. */
const START_TIMEOUT_MS = 5000
/** For requests in progress. */
const CLOSE_TIMEOUT_MS = 3000

const tell = (report: ToPrimary) => new Promise((resolve) => process.send?.(report, undefined, undefined, resolve))

async function main() {
  // A terminal sends signals to all processes, before the primary sends the command to stop.
  const { stopped, hurry } = stopSignal()
  const hurrying = new AbortController()
  process.once('disconnect', () => process.exit(1))
  const [{ databaseUrl, secret, ...siblings }] = (await once(process, 'message')) as [StartCommand]
  const config = readConfig(process.env)
  const starting = serve({ config, databaseUrl, secret, siblings: createSiblings(siblings) })

  const told = new Promise<void>((resolve) => {
    process.on('message', async (command: ToProcess) => {
      if (command.kind === 'hurry') hurrying.abort()
      if (command.kind !== 'stop') return
      // Move clients only if there are nodes on other machines, because all on this one are stopping.
      const app = await starting.catch(() => undefined)
      if (!app || app.bus.peers().length < command.total) hurrying.abort()
      resolve()
    })
  })
  const end = Promise.race([stopped, told])
  const app = await Promise.race([starting, end.then(() => sleep(START_TIMEOUT_MS))])
  if (!app) return
  await tell({ kind: 'ready' })
  await end
  await tell({ kind: 'stopping' })
  await app.drain.run(AbortSignal.any([hurry, hurrying.signal]))
  // Closing a server doesn't wait for connections that it has not accepted itself.
  for (const until = performance.now() + CLOSE_TIMEOUT_MS; app.drain.pending() > 0 && performance.now() < until; )
    await sleep(20)
  await app.close()
}

try {
  await main()
  process.exit()
} catch (error) {
  if (!(error instanceof StartError)) console.error(error)
  await tell({ kind: 'failed', reason: error instanceof StartError ? error.message : String(error) })
  process.exit(1)
}
