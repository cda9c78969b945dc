import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { type SignUpMode, signUpModes } from '#contract/identity'
import {
  type AssistantConfig,
  assistantEnvironment,
  readAssistant,
  readSpeech,
  type SpeechConfig,
} from './assistant-settings.ts'
import { StartError } from './start-error.ts'

/** The environment, parsed once. Every setting is optional; README.md lists them. */
export interface Config {
  port: number
  host: string
  /** Absolute path of the folder that holds the database, the files and the generated secrets. */
  dataDir: string
  /** The address people use, without a trailing slash; undefined means "whatever address a request came to". */
  publicUrl: string | undefined
  /** Another PostgreSQL than the embedded one. */
  databaseUrl: string | undefined
  /** Who may sign up besides the first person. */
  signUp: SignUpMode
  /** A hosted OpenID Connect provider; undefined without one. */
  oidc: OidcConfig | undefined
  /** Addresses of proxies whose word about the client is taken. */
  trustProxy: string[]
  rateLimit: boolean
  /** Who may read the metrics; undefined: this machine itself. */
  metricsToken: string | undefined
  /** Bytes of one file. */
  maxFileSize: number
  /** Bytes of all files of one person; undefined sets no bound. */
  fileQuota: number | undefined
  /** Where files are; undefined keeps them below `dataDir`. */
  s3: S3Config | undefined
  assistant: AssistantConfig
  /** A provider that speaks; undefined without one. */
  speech: SpeechConfig | undefined
  logLevel: (typeof logLevels)[number]
}

export interface S3Config {
  /** Undefined means Amazon's own. */
  endpoint: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface OidcConfig {
  /** As the provider writes it in its tokens. */
  issuer: string
  clientId: string
  /** Undefined: a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  /** What stands on the button. */
  name: string
  /** Whether people come in by the provider alone. */
  only: boolean
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const isUrl = (schemes: string[]) => (value: string) => schemes.includes(URL.parse(value)?.protocol ?? '')

const UNITS = { '': 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }
/** A number of bytes, as people write it: 500MB. */
const size = z
  .string()
  .regex(/^[1-9]\d{0,14} ?([KMGT]B)?$/i, 'must be a size such as 500MB or 1GB')
  .transform(
    (text) => Number.parseInt(text, 10) * UNITS[text.replace(/[\d ]/g, '').toUpperCase() as keyof typeof UNITS],
  )

const isIssuer = (value: string) => {
  const url = URL.parse(value)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)
}

const isProxy = (value: string) => {
  const [address = '', bits] = value.split('/')
  const version = isIP(address)
  if (value === 'loopback') return true
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

// Each message follows the name of the variable.
const Environment = z.object({
  PORT: z.coerce
    .number('must be a number from 0 to 65535')
    .int('must be a whole number from 0 to 65535')
    .min(0, 'must be a number from 0 to 65535')
    .max(65535, 'must be a number from 0 to 65535')
    .default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: z
    .string()
    .refine(isUrl(['http:', 'https:']), 'must be an address such as https://chat.example.com')
    .transform((url) => new URL(url).origin)
    .optional(),
  DATABASE_URL: z
    .string()
    .refine(isUrl(['postgres:', 'postgresql:']), 'must be an address such as postgres://user:password@host:5432/parley')
    .optional(),
  SIGNUP: z.enum(signUpModes, 'must be open, invite or closed').default('open'),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be the https address of an OpenID Connect provider (http only on localhost)')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, 'must have at most 40 characters').optional(),
  OIDC_ONLY: z.enum(['true', 'false'], 'must be true or false').default('false'),
  TRUST_PROXY: z
    .string()
    .transform((value) => value.split(',').map((it) => it.trim()))
    .refine(
      (them) => them.every(isProxy),
      'must be addresses or networks of proxies such as 10.0.0.7,10.1.0.0/16, or loopback',
    )
    .optional(),
  RATE_LIMIT: z.enum(['on', 'off'], 'must be on or off').default('on'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 letters, digits and symbols')
    .optional(),
  MAX_FILE_SIZE: size.default(UNITS.GB),
  FILE_QUOTA: size.optional(),
  S3_ENDPOINT: z
    .string()
    .refine(isUrl(['http:', 'https:']), 'must be an address such as https://s3.example.com')
    .optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  ...assistantEnvironment,
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
})

/** Reads a `.env` in the working directory, if there is one, into the environment; what is set already stays. */
export function readDotEnv() {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/** @throws StartError at the first bad value: a sentence that names the variable and its valid values. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // An empty value is how a compose file or a `.env` says "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    const ending = /(SECRET|KEY|TOKEN)$/.test(name)
      ? '; the value is not shown'
      : `, not ${JSON.stringify(given[name])}`
    throw new StartError(`${name} ${issue?.message}${ending}.`)
  }
  const env = parsed.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    publicUrl: env.PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    signUp: env.SIGNUP,
    oidc: readOidc(env),
    trustProxy: env.TRUST_PROXY ?? [],
    rateLimit: env.RATE_LIMIT === 'on',
    metricsToken: env.METRICS_TOKEN,
    maxFileSize: env.MAX_FILE_SIZE,
    fileQuota: env.FILE_QUOTA,
    s3: readS3(env),
    assistant: readAssistant(env),
    speech: readSpeech(env),
    logLevel: env.LOG_LEVEL,
  }
}

/** A bucket needs both keys, and they mean nothing without it. */
function readS3(env: z.output<typeof Environment>): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (bucket && accessKeyId && secretAccessKey)
    return { bucket, accessKeyId, secretAccessKey, region: env.S3_REGION, endpoint: env.S3_ENDPOINT }
  const given = (['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const).find(
    (it) => env[it],
  )
  if (!given) return undefined
  const missing = !bucket ? 'S3_BUCKET' : !accessKeyId ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY'
  throw new StartError(`${missing} is required with ${given}.`)
}

function readOidc(env: z.output<typeof Environment>): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  const only = env.OIDC_ONLY === 'true'
  if (!issuer) {
    if (clientId || only) throw new StartError('OIDC_ISSUER is missing: set it to the URL of the provider.')
    return undefined
  }
  if (!clientId) throw new StartError('OIDC_CLIENT_ID is missing: the provider assigned it when you registered Parley.')
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME ?? new URL(issuer).hostname, only }
}
