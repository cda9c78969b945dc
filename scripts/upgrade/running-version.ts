import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from '../../server/config/config.ts'
import { findSecret } from '../../server/config/secrets.ts'
import { commandToken } from '../../server/monitoring/command-token.ts'
import { RUNNING_VERSION_PATH, RunningVersion } from '../../server/monitoring/running-version.ts'
import { addressToAsk } from '../own-address.ts'

const TIMEOUT_MS = 4000

/** The version of the Parley that runs with these settings; undefined if none does, or it doesn't say. */
export async function askRunning(config: Config): Promise<RunningVersion | undefined> {
  const { tls, port, dataDir, secret = await findSecret(dataDir) } = config
  if (!secret) return undefined
  const request = tls ? requestTls : requestPlain
  const headers = { authorization: `Bearer ${commandToken(secret)}` }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  // The certificate is for another name than this address, and this machine asks itself.
  const options = {
    host: addressToAsk(config),
    port,
    path: RUNNING_VERSION_PATH,
    headers,
    signal,
    rejectUnauthorized: false,
  }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(options, resolve).on('error', reject).end()
    })
    return RunningVersion.parse(JSON.parse(await text(response)))
  } catch {
    return undefined
  }
}
