// Says whether Parley with these settings runs and is ready, for health checks of containers and service managers.
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { StartError } from '../server/config/start-error.ts'
import { findCertificateProblem } from '../server/tls/certificate-problem.ts'
import { addressToAsk } from './own-address.ts'
import { runCommand } from './run-command.ts'

const TIMEOUT_MS = 4000

await runCommand({}, async ({ host, port, tls, dataDir }) => {
  const at = addressToAsk({ host })
  const status = await ask(at, port, tls !== undefined).catch(async (error) => {
    const reason = (await findCertificateProblem({ tls, dataDir })) ?? `${error.code ?? error.message}.`
    throw new StartError(`Parley doesn't answer at ${at}, port ${port}: ${reason}`)
  })
  if (status !== 200) throw new StartError(`Parley at ${at}, port ${port}, is not ready (${status}).`)
  console.log('Parley is ready.')
  const problem = await findCertificateProblem({ tls, dataDir })
  // Not a reason to restart it: it serves the certificate that it has.
  if (problem) console.log(problem)
})

/** @returns the status of the readiness check. `fetch` refuses some ports */
function ask(host: string, port: number, isEncrypted: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = isEncrypted ? requestTls : requestPlain
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // The certificate is for another name than this address, and this machine asks itself.
    request({ host, port, path: '/readyz', signal, rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
