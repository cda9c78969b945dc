import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import * as z from 'zod'
import { StartError } from './start-error.ts'

/** How this node ends TLS itself. */
export interface TlsSettings {
  /** Where the certificate comes from. */
  source: AcmeSource | FileSource
  /** Serves challenges and redirects to HTTPS; undefined if nothing does. */
  httpPort: number | undefined
}

/** A certificate that Parley obtains and renews by itself. */
export interface AcmeSource {
  kind: 'acme'
  /** In ASCII. */
  domain: string
  /** URL of the certificate authority's directory (RFC 8555). */
  directory: string
}

/** A certificate and its key that something else renews, as absolute paths of PEM files. */
export interface FileSource {
  kind: 'files'
  certPath: string
  keyPath: string
}

export const DEFAULT_HTTPS_PORT = 443
const DEFAULT_HTTP_PORT = 80
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** Labels of letters, digits and hyphens; at least two, because authorities certify no others. Also the name of a file. */
const DOMAIN = /^(?=.{4,200}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

const isDomain = (name: string) => DOMAIN.test(name) && isIP(name) === 0
/** Of these, `domainToASCII` would cut off the rest. */
const BEFORE_REST = /^[^\s/:@?#\\]+$/

/** Not the text of a certificate itself, which a container's variable may hold by mistake. */
const path = z.string().regex(/^(?!-----)[^\r\n]+$/, 'must be the path of a file in PEM')

function isDirectory(value: string) {
  const url = URL.parse(value)
  // Requests are signed, but who answers has to be known.
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return (
    (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) && url.username === '' && url.hash === ''
  )
}

const aPort = 'must be a number from 0 to 65535, or off'

export const tlsEnvironment = {
  TLS_DOMAIN: z
    .string()
    .transform((name) => (BEFORE_REST.test(name.trim()) ? domainToASCII(name.trim()) : ''))
    .refine(isDomain, 'must be the name people use, such as chat.example.com')
    .optional(),
  TLS_CERT: path.optional(),
  TLS_KEY: path.optional(),
  ACME_DIRECTORY: z
    .string()
    .refine(isDirectory, 'must be an address such as https://ca.example.com/directory')
    .optional(),
  HTTP_PORT: z
    .string()
    .regex(/^(off|\d{1,5})$/, aPort)
    .transform((value) => (value === 'off' ? value : Number(value)))
    .refine((value) => value === 'off' || value <= 65535, aPort)
    .optional(),
}

interface Environment extends z.output<z.ZodObject<typeof tlsEnvironment>> {
  PORT?: number | undefined
  PUBLIC_URL?: string | undefined
  REDIS_URL?: string | undefined
}

/** Undefined if Parley serves plain HTTP. @throws StartError */
export function readTls(env: Environment): TlsSettings | undefined {
  const source = readSource(env)
  if (!source) {
    const lonely = (['ACME_DIRECTORY', 'HTTP_PORT'] as const).find((name) => env[name] !== undefined)
    if (lonely) throw new StartError(`TLS_DOMAIN, or TLS_CERT and TLS_KEY, is required with ${lonely}.`)
    return undefined
  }
  if (env.PUBLIC_URL && !env.PUBLIC_URL.startsWith('https:'))
    throw new StartError(`PUBLIC_URL must begin with https: if Parley ends TLS, not ${JSON.stringify(env.PUBLIC_URL)}.`)
  if (source.kind === 'files' && env.ACME_DIRECTORY)
    throw new StartError('ACME_DIRECTORY is for TLS_DOMAIN: unset it, or TLS_CERT and TLS_KEY.')
  const httpPort = readHttpPort(env, source)
  if (httpPort !== 0 && httpPort === (env.PORT ?? DEFAULT_HTTPS_PORT))
    throw new StartError(`PORT is for HTTPS and HTTP_PORT for plain HTTP: both can't be ${httpPort}.`)
  return { source, httpPort }
}

function readSource(env: Environment): TlsSettings['source'] | undefined {
  const { TLS_DOMAIN: domain, TLS_CERT: cert, TLS_KEY: key } = env
  if (cert || key) {
    if (domain) throw new StartError('TLS_DOMAIN obtains a certificate, and TLS_CERT names one: unset one of them.')
    if (!cert || !key)
      throw new StartError(cert ? 'TLS_KEY is required with TLS_CERT.' : 'TLS_CERT is required with TLS_KEY.')
    return { kind: 'files', certPath: resolve(cert), keyPath: resolve(key) }
  }
  if (!domain) return undefined
  if (env.REDIS_URL) throw new StartError(`REDIS_URL is for several nodes. ${ONE_NODE}`)
  if (env.PUBLIC_URL && new URL(env.PUBLIC_URL).hostname !== domain)
    throw new StartError(
      `PUBLIC_URL and TLS_DOMAIN must have the same name, but these are ${env.PUBLIC_URL} and ${domain}.`,
    )
  return { kind: 'acme', domain, directory: env.ACME_DIRECTORY ?? LETS_ENCRYPT }
}

/** Why TLS_DOMAIN is refused if there is another node: a challenge may arrive at either of them. */
export const ONE_NODE =
  'TLS_DOMAIN works on one node only: with several, let the load balancer end TLS, and unset TLS_DOMAIN.'

function readHttpPort({ HTTP_PORT: given, PORT: port }: Environment, { kind }: TlsSettings['source']) {
  if (given !== 'off') {
    if (given !== undefined) return given
    // Who moves HTTPS elsewhere may use the standard port for something else.
    return kind === 'acme' || port === undefined ? DEFAULT_HTTP_PORT : undefined
  }
  if (kind === 'acme')
    throw new StartError(
      'HTTP_PORT cannot be off with TLS_DOMAIN: the certificate authority asks at port 80 whether the name is yours.',
    )
  return undefined
}
