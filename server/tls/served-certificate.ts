import { stat } from 'node:fs/promises'
import type { Server } from 'node:tls'
import { StartError } from '../config/start-error.ts'
import type { TlsSettings } from '../config/tls-settings.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { type Certificate, certificatePaths, readCertificate } from './certificate.ts'
import { describeFileProblem } from './certificate-problem.ts'

/** Who renews the files changes them one after the other. */
const POLL_INTERVAL_MS = 2_000
/** While there is no certificate, and people wait for it. */
const FIRST_POLL_INTERVAL_MS = 500

export interface ServedCertificate {
  /** Undefined until there is one. */
  current(): Certificate | undefined
  /** Looks for a changed certificate at once. */
  reload(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  server: Pick<Server, 'setSecureContext'>
  source: TlsSettings['source']
  dataDir: string
  log: Logger
}

/**
 * Serves a certificate from its files, and its successors as soon as these are there. Connections that are open stay.
 * @throws StartError if TLS_CERT and TLS_KEY can't be used
 */
export async function serveCertificate({ server, source, dataDir, log }: Options): Promise<ServedCertificate> {
  const paths = certificatePaths(source, dataDir)
  let current: Certificate | undefined
  /** The files of the current certificate, and those that could not be used when this was last said. */
  let [served, refused] = ['', '']

  /** Changes when one of the files does, or when they appear or vanish. */
  async function fingerprint() {
    const describe = (path: string) => stat(path).then(({ ino, ctimeMs, size }) => `${ino} ${ctimeMs} ${size}`)
    const files = await Promise.all([paths.cert, paths.key].map((path) => describe(path).catch(({ code }) => code)))
    return files.join()
  }

  async function load(found: string) {
    const certificate = await readCertificate(paths)
    server.setSecureContext({ cert: certificate.cert, key: certificate.key })
    if (current) log.info({ names: certificate.names, endsAt: certificate.endsAt }, 'serving a new certificate')
    current = certificate
    served = found
  }

  /** Keeps the current certificate if there is no better one. Tries again next time, but says so once. */
  async function reload() {
    const found = await fingerprint()
    if (found === served) return
    await load(found).catch((err) => {
      if (refused === found || (source.kind === 'acme' && err.code === 'ENOENT')) return
      refused = found
      log.warn({ err, ...paths }, 'the certificate cannot be used; the last one is served on')
    })
  }

  if (source.kind === 'files')
    await load(await fingerprint()).catch((error) => {
      throw new StartError(describeFileProblem(error, paths))
    })
  else await reload()
  const failure = 'could not look for a new certificate'
  const stop = startPolling({ intervalMs: FIRST_POLL_INTERVAL_MS, log, failure }, async () => {
    await reload()
    return current ? POLL_INTERVAL_MS : FIRST_POLL_INTERVAL_MS
  })
  return { current: () => current, reload, stop }
}
