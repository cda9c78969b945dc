import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 24 * 3_600_000

interface Options {
  startsAt?: Date
  endsAt?: Date
  /** An IP address it is for as well. */
  address?: string
}

/** A self-signed certificate and its key, both PEM. It began yesterday and ends in a year, unless told otherwise. */
export async function createCertificate(name: string, { startsAt, endsAt, address }: Options = {}) {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: startsAt ?? new Date(Date.now() - DAY_MS),
    notAfter: endsAt ?? new Date(Date.now() + 365 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys: keys as Parameters<typeof x509.X509CertificateGenerator.createSelfSigned>[0]['keys'],
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: name },
        ...(address ? [{ type: 'ip' as const, value: address }] : []),
      ]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
}

let trusted: ReturnType<typeof createCertificate> | undefined

/** A certificate of this machine that everything in this process trusts, and its key. */
export async function trustedCertificate() {
  trusted ??= createCertificate('localhost', { address: '127.0.0.1' })
  const { cert, key } = await trusted
  setDefaultCACertificates([...getCACertificates('bundled'), cert])
  return { cert, key }
}

/** The certificate that a server on this machine shows for a name. @throws if the handshake fails */
export async function shownCertificate(port: number, name: string): Promise<X509Certificate> {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, servername: name, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate() as X509Certificate
  } finally {
    socket.destroy()
  }
}
