import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { readAttempts } from './attempts.ts'
import { certificatePaths, KEY_MISMATCH, readCertificate } from './certificate.ts'
import { onStart } from './renewal-rules.ts'

const FIRST_TIMEOUT_MS = 20_000
const CHECK_INTERVAL_MS = 200

/** Why nobody can connect over HTTPS, as a sentence for administrators; undefined if nothing is known. */
export async function findCertificateProblem({ tls, dataDir }: Pick<Config, 'tls' | 'dataDir'>) {
  if (!tls) return undefined
  const { source } = tls
  const paths = certificatePaths(source, dataDir)
  let failure: NodeJS.ErrnoException | undefined
  const certificate = await readCertificate(paths).catch((error) => {
    failure = error
    return undefined
  })
  if (certificate && certificate.endsAt.getTime() > Date.now()) return undefined
  const ended = certificate && `on ${certificate.endsAt.toISOString()}`
  if (source.kind === 'files')
    return failure
      ? describeFileProblem(failure, paths)
      : `The certificate of TLS_CERT ended ${ended}. Put a new one in its place.`
  const { domain } = source
  const what = ended ? `The certificate for ${domain} ended ${ended}` : `There is no certificate for ${domain} yet`
  const attempts = await readAttempts(dataDir, source)
  if (!attempts) return `${what}.`
  return `${what}: ${attempts.error}. Parley tries again at ${new Date(attempts.dueAt).toISOString()}.`
}

/**
 * Waits until there is a first certificate, or an attempt to obtain it has failed, but no longer than 20 seconds.
 * @param startedAt Unix time in milliseconds; attempts before it don't count
 */
export async function untilFirstCertificate({ tls, dataDir }: Pick<Config, 'tls' | 'dataDir'>, startedAt: number) {
  if (tls?.source.kind !== 'acme') return
  const end = Date.now() + FIRST_TIMEOUT_MS
  while (Date.now() < end && (await findCertificateProblem({ tls, dataDir }))) {
    const attempts = await readAttempts(dataDir, tls.source)
    const isWaiting = (onStart(attempts, Date.now())?.dueAt ?? 0) > Date.now()
    if (attempts && (attempts.triedAt >= startedAt || isWaiting)) return
    await sleep(CHECK_INTERVAL_MS)
  }
}

/** Why TLS_CERT and TLS_KEY can't be used, as a sentence. @param error what `readCertificate` throws */
export function describeFileProblem(
  { code = '', path, message }: NodeJS.ErrnoException,
  paths: { cert: string; key: string },
) {
  const name = path === paths.cert ? 'TLS_CERT' : 'TLS_KEY'
  if (code === 'ENOENT') return `${name} names a file that doesn't exist: ${path}.`
  if (path) return `${name} can't be read (${code}): ${path}.`
  if (code === KEY_MISMATCH)
    return `The certificate of TLS_CERT (${paths.cert}) is for another key than that of TLS_KEY (${paths.key}).`
  return `TLS_CERT (${paths.cert}) and TLS_KEY (${paths.key}) must be a certificate and its key without a passphrase, in PEM: ${message}.`
}
