import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import { stopSignal } from './process/stop-signal.ts'
import type { StartCommand, ToPrimary, ToProcess } from './processes/ipc.ts'
import { createSiblings } from './processes/siblings.ts'
import { serve } from './serve.ts'

// One of several processes that share a port (processes/primary.ts). If the primary process dies, each ends at once.

/** If stopped while starting, wait this long for the start. */
const START_TIMEOUT_MS = 5000
/** For requests under way. */
const CLOSE_TIMEOUT_MS = 3000

const tell = (report: ToPrimary) => new Promise((resolve) => process.send?.(report, undefined, undefined, resolve))

async function main() {
  // A terminal sends its signals to all processes, before the primary says that all stop.
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
      // Clients are handed over to the nodes of other machines only: those of this one stop as well.
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
  // Closing waits only for the connections that a server has accepted itself.
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
