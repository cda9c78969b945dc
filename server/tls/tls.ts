import type { Server } from 'node:tls'
import { Gauge, type Registry } from 'prom-client'
import type { CertificateHealth } from '#contract/administration'
import { listenProblem } from '../config/start-error.ts'
import type { TlsSettings } from '../config/tls-settings.ts'
import type { Services } from '../services.ts'
import { readAttempts } from './attempts.ts'
import { startCertificateAlarm } from './certificate-alarm.ts'
import { createPlainHttp, listenPlain } from './plain-http.ts'
import { startRenewal } from './renewal.ts'
import { alarmsAt, renewsAt } from './renewal-rules.ts'
import { type ServedCertificate, serveCertificate } from './served-certificate.ts'

/** The TLS that a node ends itself. */
export interface Tls {
  health(): Promise<CertificateHealth>
  /**
   * Once the server listens: serves plain HTTP, and obtains a certificate if one is due. Only one of several processes does.
   * @throws StartError if the port for plain HTTP can't be used
   */
  start(httpsPort: number): Promise<void>
  stop(): Promise<void>
}

interface Options extends TlsSettings {
  server: Server
  registry: Registry
}

/** @throws StartError if TLS_CERT and TLS_KEY can't be used */
export async function openTls(services: Services, { server, registry, source, httpPort }: Options): Promise<Tls> {
  const { bounds, config, log } = services
  const { dataDir, host, publicUrl, trustProxy } = config
  const served = await serveCertificate({ server, source, dataDir, log })
  const stops = [served.stop]
  measureEnd(registry, served.current)

  /** Why the last attempt failed, if the current certificate is due. */
  async function lastFailure() {
    const current = served.current()
    const isDue = !current || Date.now() >= renewsAt(current)
    return isDue && source.kind === 'acme' ? readAttempts(dataDir, source) : undefined
  }

  async function health(): Promise<CertificateHealth> {
    const current = served.current()
    const failure = await lastFailure()
    return {
      names: current?.names ?? (source.kind === 'acme' ? [source.domain] : []),
      isAutomatic: source.kind === 'acme',
      endsAt: current?.endsAt.toISOString() ?? null,
      endsSoon: current !== undefined && Date.now() >= alarmsAt(current),
      lastError: failure?.error ?? null,
      retriesAt: failure ? new Date(failure.dueAt).toISOString() : null,
    }
  }

  async function start(httpsPort: number) {
    const challenges = new Map<string, string>()
    const hasCertificate = () => served.current() !== undefined
    if (httpPort !== undefined) {
      const plain = createPlainHttp({ publicUrl, httpsPort, challenges, hasCertificate, bounds, trustProxy })
      await listenPlain(plain, { port: httpPort, host }).catch((error) => {
        throw listenProblem(error, { host, port: httpPort, setting: 'HTTP_PORT' })
      })
      stops.push(async () => void plain.close())
    }
    if (source.kind === 'acme') stops.push(await startRenewal({ source, dataDir, served, challenges, log }))
    stops.push(
      startCertificateAlarm(services, { isAutomatic: source.kind === 'acme', current: served.current, lastFailure }),
    )
  }

  async function stop() {
    for (const stop of stops.splice(0).toReversed()) await stop()
  }

  return { health, start, stop }
}

function measureEnd(registry: Registry, current: ServedCertificate['current']) {
  new Gauge({
    name: 'parley_certificate_end_timestamp_seconds',
    help: 'Unix time at which the certificate that Parley serves ends, in seconds; 0 if there is none.',
    registers: [registry],
    collect() {
      this.set((current()?.endsAt.getTime() ?? 0) / 1000)
    },
  })
}
