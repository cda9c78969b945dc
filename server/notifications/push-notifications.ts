import { Gauge, type Registry } from 'prom-client'
import { countWaiting } from '../push/push-queue.ts'
import type { Services } from '../services.ts'
import { startDeciding, startForgetting } from './decide-pushes.ts'
import { startSending } from './send-pushes.ts'

/** Notifies people on devices where Parley is closed. Returns a function that stops it. */
export function startPushing(services: Services, registry: Registry) {
  if (services.config.webPush === 'off') return startForgetting(services)
  new Gauge({
    name: 'parley_pushes',
    help: 'Notifications in the database that wait to be delivered to devices, for all nodes.',
    registers: [registry],
    async collect() {
      this.set(await countWaiting(services.db).catch(() => Number.NaN))
    },
  })
  const stops = [startDeciding(services), startSending(services)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
