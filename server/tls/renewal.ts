import { X509Certificate } from 'node:crypto'
import type { AcmeSource } from '../config/tls-settings.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { AcmeError, obtainCertificate } from './acme-client.ts'
import { forgetAttempts, readAttempts, storeAttempts } from './attempts.ts'
import { acmeFolder, certificatePaths, parseCertificate, requireWritable, writeSecretFile } from './certificate.ts'
import { afterFailure, dueAt, onStart, renewsAt } from './renewal-rules.ts'
import type { ServedCertificate } from './served-certificate.ts'

/** A certificate takes seconds; an authority with a queue, minutes. */
const ATTEMPT_TIMEOUT_MS = 5 * 60_000
/** The longest pause: clocks are set, and machines sleep. */
const POLL_INTERVAL_MS = 30_000
const MIN_POLL_INTERVAL_MS = 1000

interface Options {
  source: AcmeSource
  dataDir: string
  served: ServedCertificate
  challenges: Map<string, string>
  log: Logger
}

/** Obtains the first certificate, and renews it before it ends. After a failure the old one is served on. */
export async function startRenewal({ source, dataDir, served, challenges, log }: Options) {
  const { domain } = source
  const folder = acmeFolder(dataDir, source)
  const path = certificatePaths(source, dataDir).cert
  const ending = new AbortController()
  let attempts = onStart(await readAttempts(dataDir, source), Date.now())
  /** A certificate that could not be stored yet. */
  let issued: { cert: string; key: string } | undefined

  async function order() {
    // First, because authorities count what they issue.
    await requireWritable(path)
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)])
    const say = (line: string) => log.debug(line)
    const obtained = await obtainCertificate({ source, folder, challenges, log: say, signal })
    requireUsable(obtained, domain)
    return obtained
  }

  async function renew() {
    issued ??= await order()
    await writeSecretFile(path, `${issued.key.trim()}\n${issued.cert.trim()}\n`)
    issued = undefined
    attempts = undefined
    await served.reload()
    log.info({ domain, endsAt: served.current()?.endsAt }, 'obtained a certificate')
    await forgetAttempts(dataDir, source).catch((err) => log.warn({ err }, 'could not forget the failed attempts'))
  }

  async function noteFailure(error: Error) {
    const { message, isRefusal, retryAfter } = error instanceof AcmeError ? error : new AcmeError(error.message)
    attempts = afterFailure(attempts, { error: message, isRefusal, retryAfter, now: Date.now() })
    const endsAt = served.current()?.endsAt
    const outcome = endsAt ? 'the old one is served on' : 'until then, nobody can connect over HTTPS'
    const { failures } = attempts
    const fields = { domain, reason: message, failures, retryAt: new Date(attempts.dueAt), endsAt }
    log.warn(fields, `no certificate was issued; ${outcome}`)
    await storeAttempts(dataDir, source, attempts)
  }

  async function renewIfDue() {
    const isDue = () => Date.now() >= dueAt(served.current(), attempts, Date.now())
    if (!ending.signal.aborted && isDue())
      await renew().catch((error) => (ending.signal.aborted ? undefined : noteFailure(error)))
    const waitMs = dueAt(served.current(), attempts, Date.now()) - Date.now()
    return Math.min(Math.max(waitMs, MIN_POLL_INTERVAL_MS), POLL_INTERVAL_MS)
  }

  if (attempts && !served.current() && Date.now() < attempts.dueAt)
    log.warn({ domain, reason: attempts.error, retryAt: new Date(attempts.dueAt) }, 'there is no certificate yet')
  const failure = 'could not note that no certificate was issued'
  const stop = startPolling({ intervalMs: POLL_INTERVAL_MS, firstDelayMs: 0, log, failure }, renewIfDue)
  return async () => {
    ending.abort()
    await stop()
  }
}

/** @throws AcmeError if the authority issued something else than was ordered */
function requireUsable({ cert, key }: { cert: string; key: string }, domain: string) {
  const refuse = (why: string) => new AcmeError(`the authority issued a certificate ${why}`, { hasAnswered: true })
  let parsed: ReturnType<typeof parseCertificate>
  try {
    parsed = parseCertificate(cert, key)
  } catch (error) {
    throw refuse(`that can't be used: ${(error as Error).message}`)
  }
  const { names, startsAt, endsAt } = parsed
  if (!new X509Certificate(cert).checkHost(domain)) throw refuse(`for ${names.join(', ')}`)
  // Otherwise the next one would be due at once.
  if (startsAt.getTime() > Date.now() || renewsAt(parsed) <= Date.now())
    throw refuse(`from ${startsAt.toISOString()} to ${endsAt.toISOString()}: is the clock of this machine right?`)
}
