import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../server/config/config.ts'
import { listenProblem } from '../../server/config/start-error.ts'
import { type Finding, none, ok, problem } from './finding.ts'
import { probe } from './probe.ts'

/** Addresses to listen on that are none to connect to. */
const ANY = ['0.0.0.0', '::', '']

/**
 * Whether Parley runs on its ports, or could.
 * @param token undefined if the secret is not known
 */
export async function checkPorts({ host, port, tls }: Config, token: string | undefined) {
  if (port === 0) return { isRunning: false, findings: [none('PORT is 0: each start takes a free one.')] }
  const at = ANY.includes(host) ? '127.0.0.1' : host
  const name = at.includes(':') ? `[${at}]` : at
  const url = new URL(`${tls ? 'https' : 'http'}://${name}:${port}`)
  // The certificate is for another name than this address.
  const answer = await probe(url, token ?? '', { rejectUnauthorized: false }).catch((error) => error as Error)
  const isRunning = 'kind' in answer && answer.kind === 'parley'
  const findings = isRunning
    ? [ok(`Parley runs on port ${port}.`)]
    : [await checkFree({ host, port, setting: 'PORT', doesAnswer: 'kind' in answer })]
  if (tls?.httpPort) findings.push(await checkPlain(host, name, tls.httpPort, isRunning))
  return { isRunning, findings }
}

async function checkPlain(host: string, name: string, port: number, isRunning: boolean): Promise<Finding> {
  const signal = AbortSignal.timeout(3000)
  const doesAnswer = await fetch(`http://${name}:${port}`, { redirect: 'manual', signal }).then(
    () => true,
    () => false,
  )
  if (isRunning && doesAnswer) return ok(`Plain HTTP answers on port ${port}.`)
  return checkFree({ host, port, setting: 'HTTP_PORT', doesAnswer })
}

interface Port {
  host: string
  port: number
  setting: string
  doesAnswer: boolean
}

async function checkFree({ host, port, setting, doesAnswer }: Port): Promise<Finding> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return none(`Port ${port} is free: Parley doesn't run there.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
      return problem(listenProblem(error as Error, { host, port, setting }).message)
    if (!doesAnswer)
      return problem(
        `Port ${port} is in use, but nothing answers there with these settings. If it is Parley, it hangs or has other settings; otherwise set ${setting} to another port.`,
      )
    return problem(
      `Something else than this workspace answers on port ${port}. Stop it, set ${setting} to another port, or run this with the settings and in the folder of that Parley.`,
    )
  } finally {
    server.close()
  }
}
