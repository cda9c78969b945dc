// Says whether Parley with these settings runs and is ready, for health checks of containers and service managers.
import { request } from 'node:http'
import { StartError } from '../server/config/start-error.ts'
import { runCommand } from './run-command.ts'

const TIMEOUT_MS = 4000
/** Addresses to listen on that are none to connect to. */
const ANY = ['0.0.0.0', '::', '']

await runCommand({}, async ({ host, port }) => {
  const at = ANY.includes(host) ? '127.0.0.1' : host
  const status = await ask(at, port).catch((error) => {
    throw new StartError(`Parley doesn't answer at ${at}, port ${port}: ${error.code ?? error.message}.`)
  })
  if (status !== 200) throw new StartError(`Parley at ${at}, port ${port}, is not ready (${status}).`)
  console.log('Parley is ready.')
})

/** @returns the status of the readiness check. `fetch` refuses some ports */
function ask(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host, port, path: '/readyz', signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
