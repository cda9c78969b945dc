import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { type SignUpMode, signUpModes } from '#contract/identity'
import { STANDARD_DATA_DIR } from '../installation.ts'
import { type AllowedHosts, parseAllowedHosts } from '../outbound/allowed-hosts.ts'
import {
  type AssistantConfig,
  assistantEnvironment,
  readAssistant,
  readSpeech,
  type SpeechConfig,
} from './assistant-settings.ts'
import { type BackupSettings, backupEnvironment, readBackupSettings } from './backup-settings.ts'
import { accountName } from './data-dir.ts'
import { type DatabaseSettings, databaseEnvironment, isUrl, readDatabaseSettings } from './database-settings.ts'
import { type MailSettings, mailEnvironment, readMailSettings } from './mail-settings.ts'
import { type OidcConfig, oidcEnvironment, readOidc } from './oidc-settings.ts'
import type { S3Config } from './s3-config.ts'
import { StartError } from './start-error.ts'
import { DEFAULT_HTTPS_PORT, readTls, type TlsSettings, tlsEnvironment } from './tls-settings.ts'

export type { S3Config }

/** The environment, parsed once. Every setting is optional; docs/running/configuration.md lists them. */
export interface Config extends DatabaseSettings {
  port: number
  host: string
  /** How many processes share the port. */
  processes: number
  /** Absolute path of the folder that holds the database, the files and the generated secrets. */
  dataDir: string
  /** The origin people use, without a trailing slash; undefined means the one that each request was sent to. */
  publicUrl: string | undefined
  /** How this node ends TLS; undefined serves plain HTTP. */
  tls: TlsSettings | undefined
  /** The identity's secret, shared by all nodes; undefined uses the generated one (secrets.ts). */
  secret: string | undefined
  /** Who may sign up after the first user. */
  /** Whether to fill a new workspace with the demo. */
  demo: boolean
  /** Undefined: the owner decides. */
  signUp: SignUpMode | undefined
  /** A hosted OpenID Connect provider; undefined without one. */
  oidc: OidcConfig | undefined
  /** Addresses of proxies whose forwarding headers count. */
  trustProxy: string[]
  rateLimit: boolean
  /** Whether links may have previews; false never fetches one. */
  linkPreviews: boolean
  /** Whether devices are notified while Parley is closed; `without-text` sends only that there is something new. */
  webPush: (typeof webPushModes)[number]
  /** Hosts outside the internet that may be fetched because somebody names them. */
  outboundAllow: AllowedHosts
  /** The origin of Slack, which imports fetch files from. */
  slackUrl: string
  /** Required to read the metrics; undefined allows only this machine. */
  metricsToken: string | undefined
  /** In bytes. */
  maxFileSize: number
  /** Bytes of all files of one user; undefined means no limit. */
  fileQuota: number | undefined
  /** Where files are stored; undefined stores them below `dataDir`. */
  s3: S3Config | undefined
  /** Internal location at which nginx serves `dataDir`/files; undefined if Parley sends the bytes of downloads. */
  xAccelRedirect: string | undefined
  /** How long a stopping node waits for its clients and requests, if there are other nodes. */
  drainSeconds: number
  backup: BackupSettings
  /** The server that mail is sent with; undefined sends none. */
  mail: MailSettings | undefined
  assistant: AssistantConfig
  speech: SpeechConfig | undefined
  logLevel: (typeof logLevels)[number]
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const webPushModes = ['on', 'without-text', 'off'] as const

const DEFAULT_PORT = 3000

const UNITS = { '': 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }
/** Parses a size such as 500MB to bytes. */
const size = z
  .string()
  .regex(/^[1-9]\d{0,14} ?([KMGT]B)?$/i, 'must be a size such as 500MB or 1GB')
  .transform(
    (text) => Number.parseInt(text, 10) * UNITS[text.replace(/[\d ]/g, '').toUpperCase() as keyof typeof UNITS],
  )

const isProxy = (value: string) => {
  const [address = '', bits] = value.split('/')
  const version = isIP(address)
  if (value === 'loopback') return true
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

function areHosts(list: readonly string[]) {
  try {
    parseAllowedHosts(list)
    return true
  } catch {
    return false
  }
}

/** Parley can't be served under a path. */
function isOrigin(value: string) {
  const { origin, href } = URL.parse(value) ?? {}
  return href === `${origin}/`
}

const aCount = 'must be a whole number from 1 to 64'

// Error messages start with the name of the variable.
const Environment = z.object({
  PORT: z.coerce
    .number('must be a number from 0 to 65535')
    .int('must be a whole number from 0 to 65535')
    .min(0, 'must be a number from 0 to 65535')
    .max(65535, 'must be a number from 0 to 65535')
    .optional(),
  HOST: z.string().default('0.0.0.0'),
  PROCESSES: z.coerce.number(aCount).int(aCount).min(1, aCount).max(64, aCount).default(1),
  DATA_DIR: z.string().default(STANDARD_DATA_DIR),
  PUBLIC_URL: z
    .string()
    .refine(isUrl(['http:', 'https:']), 'must be an address such as https://chat.example.com')
    .refine(isOrigin, 'must be an address without a path, such as https://chat.example.com')
    .transform((url) => new URL(url).origin)
    .optional(),
  SECRET: z
    .string()
    .regex(
      /^[!-~]{32,}$/,
      'must have at least 32 letters, digits and symbols, such as the output of "openssl rand -hex 32"',
    )
    .optional(),
  ...tlsEnvironment,
  ...databaseEnvironment,
  DEMO: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SIGNUP: z.optional(z.enum(signUpModes, 'must be open, invite or closed')),
  ...oidcEnvironment,
  TRUST_PROXY: z
    .string()
    .transform((value) => value.split(',').map((proxy) => proxy.trim()))
    .refine(
      (proxies) => proxies.every(isProxy),
      'must be addresses or networks of proxies such as 10.0.0.7,10.1.0.0/16, or loopback',
    )
    .optional(),
  RATE_LIMIT: z.enum(['on', 'off'], 'must be on or off').default('on'),
  LINK_PREVIEWS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  WEB_PUSH: z.enum(webPushModes, 'must be on, without-text or off').default('on'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((value) => value.split(',').filter((entry) => entry.trim() !== ''))
    .refine(areHosts, 'must be hosts, addresses or networks such as wiki.example.com,*.corp.example.com,10.1.0.0/16'),
  SLACK_URL: z
    .string()
    .refine(isUrl(['http:', 'https:']), 'must be an address such as https://slack.com')
    .refine(isOrigin, 'must be an address without a path, such as https://slack.com')
    .default('https://slack.com')
    .transform((url) => new URL(url).origin),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 letters, digits and symbols')
    .optional(),
  MAX_FILE_SIZE: size.default(UNITS.GB),
  FILE_QUOTA: z.optional(z.union([z.literal('off'), size], 'must be a size such as 500MB or 1GB, or off')),
  S3_ENDPOINT: z
    .string()
    .refine(isUrl(['http:', 'https:']), 'must be an address such as https://s3.example.com')
    .optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  X_ACCEL_REDIRECT: z
    .string()
    .regex(/^\/([\w-]+\/)+$/, 'must be a path such as /stored-files/')
    .optional(),
  ...backupEnvironment,
  ...mailEnvironment,
  ...assistantEnvironment,
  DRAIN: z.coerce
    .number('must be a number of seconds from 0 to 3600')
    .min(0, 'must be a number of seconds from 0 to 3600')
    .max(3600, 'must be a number of seconds from 0 to 3600')
    .default(30),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
})

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(Environment.shape)

/**
 * Loads a `.env` of the working directory, if there is one. Variables that are already set take precedence.
 * @throws StartError if it can't be read
 */
export function readDotEnv() {
  const path = resolve('.env')
  try {
    if (existsSync(path)) process.loadEnvFile(path)
  } catch {
    // Node reports an unreadable file as missing.
    throw new StartError(`${path} can't be read. Make it readable for user ${accountName()}, or remove it.`)
  }
}

/** @throws StartError for the first invalid value, with the variable's name and its valid values */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // In compose files and `.env`, an empty value means "not set".
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    // URLs may contain a password.
    const isSecret =
      /(SECRET|KEY|TOKEN|PASSPHRASE|DATABASE_URL|DATABASE_READ_URL|REDIS_URL|SMTP_URL|TLS_CERT)$/.test(name) ||
      values[name]?.includes('@')
    const ending = isSecret ? '; the value is not shown' : `, not ${JSON.stringify(values[name])}`
    throw new StartError(`${name} ${issue?.message}${ending}.`)
  }
  const tls = readTls(parsed.data)
  const env = withPublicUrl(parsed.data, tls)
  return {
    port: env.PORT ?? (tls ? DEFAULT_HTTPS_PORT : DEFAULT_PORT),
    host: env.HOST,
    processes: env.PROCESSES,
    dataDir: resolve(env.DATA_DIR),
    publicUrl: env.PUBLIC_URL,
    tls,
    secret: env.SECRET,
    ...readDatabaseSettings(env),
    demo: env.DEMO === 'on',
    signUp: env.SIGNUP,
    oidc: readOidc(env),
    trustProxy: env.TRUST_PROXY ?? [],
    rateLimit: env.RATE_LIMIT === 'on',
    linkPreviews: env.LINK_PREVIEWS === 'on',
    webPush: env.WEB_PUSH,
    outboundAllow: parseAllowedHosts(env.OUTBOUND_ALLOW),
    slackUrl: env.SLACK_URL,
    metricsToken: env.METRICS_TOKEN,
    maxFileSize: env.MAX_FILE_SIZE,
    // At least one file must fit.
    fileQuota: env.FILE_QUOTA === 'off' ? undefined : (env.FILE_QUOTA ?? Math.max(5 * UNITS.GB, env.MAX_FILE_SIZE)),
    s3: readS3(env),
    xAccelRedirect: env.X_ACCEL_REDIRECT,
    drainSeconds: env.DRAIN,
    backup: readBackupSettings(env, resolve(env.DATA_DIR)),
    mail: readMailSettings(env),
    assistant: readAssistant(env),
    speech: readSpeech(env),
    logLevel: env.LOG_LEVEL,
  }
}

type Settings = z.output<typeof Environment>

/** Who obtains a certificate for a name has said what people's address is. */
const withPublicUrl = (env: Settings, tls: TlsSettings | undefined): Settings =>
  tls?.source.kind === 'acme' ? { ...env, PUBLIC_URL: env.PUBLIC_URL ?? `https://${tls.source.domain}` } : env

function readS3(env: Settings): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (bucket && env.X_ACCEL_REDIRECT)
    throw new StartError('X_ACCEL_REDIRECT is for files on disk: unset it or S3_BUCKET.')
  if (bucket && accessKeyId && secretAccessKey)
    return { bucket, accessKeyId, secretAccessKey, region: env.S3_REGION, endpoint: env.S3_ENDPOINT }
  const given = (['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const).find(
    (name) => env[name],
  )
  if (!given) return undefined
  const missing = !bucket ? 'S3_BUCKET' : !accessKeyId ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY'
  throw new StartError(`${missing} is required with ${given}.`)
}
