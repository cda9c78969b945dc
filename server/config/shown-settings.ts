import type { Config } from './config.ts'

interface Shown {
  name: string
  value: string | null
  isSet: boolean
}

const MB = 1024 ** 2
const megabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`

/** Settings shown to administrators: without passwords, keys and tokens, or addresses that contain one. */
export function shownSettings(config: Config): Shown[] {
  const { assistant, backup, mail, oidc, s3, tls } = config
  const shown = (name: string, value: string | number | null | undefined): Shown => ({
    name,
    value: value === null || value === undefined || value === '' ? null : String(value),
    isSet: value !== null && value !== undefined && value !== '',
  })
  const secret = (name: string, isSet: boolean): Shown => ({ name, value: null, isSet })
  return [
    shown('PUBLIC_URL', config.publicUrl),
    shown('TLS_DOMAIN', tls?.source.kind === 'acme' ? tls.source.domain : null),
    shown('TLS_CERT', tls?.source.kind === 'files' ? tls.source.certPath : null),
    shown('HTTP_PORT', tls?.httpPort),
    shown('SIGNUP', config.signUp),
    shown('OIDC_ISSUER', oidc?.issuer),
    shown('OIDC_NAME', oidc?.name),
    shown('OIDC_ONLY', oidc ? String(oidc.only) : null),
    shown('SMTP_URL', mail && `${mail.host}:${mail.port}`),
    shown('MAIL_FROM', mail && `${mail.from.name} <${mail.from.address}>`),
    shown('MAX_FILE_SIZE', megabytes(config.maxFileSize)),
    shown('FILE_QUOTA', config.fileQuota === undefined ? 'off' : megabytes(config.fileQuota)),
    shown('S3_BUCKET', s3?.bucket),
    shown('BACKUP_EVERY', backup.everyMs ? `${Math.round(backup.everyMs / 3_600_000)} h` : null),
    shown('ASSISTANT_MODEL', assistant.model?.name),
    shown('RATE_LIMIT', config.rateLimit ? 'on' : 'off'),
    shown('LINK_PREVIEWS', config.linkPreviews ? 'on' : 'off'),
    shown('WEB_PUSH', config.webPush),
    shown('TRUST_PROXY', config.trustProxy.join(', ')),
    shown('PROCESSES', config.processes),
    shown('DRAIN', `${config.drainSeconds} s`),
    shown('LOG_LEVEL', config.logLevel),
    secret('REDIS_URL', config.redisUrl !== undefined),
    secret('METRICS_TOKEN', config.metricsToken !== undefined),
    secret('SECRET', config.secret !== undefined),
  ]
}
