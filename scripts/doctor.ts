// Examines an installation, whether Parley runs or not: each line says that something is right, or what to do.
import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import type { Config } from '../server/config/config.ts'
import { accountName } from '../server/config/data-dir.ts'
import { findSecret } from '../server/config/secrets.ts'
import { VERSION } from '../server/installation.ts'
import { commandToken } from '../server/monitoring/command-token.ts'
import { checkAddress } from './doctor/check-address.ts'
import { checkBackups } from './doctor/check-backups.ts'
import { type Clocks, createClocks } from './doctor/check-clock.ts'
import { checkDatabase, checkReplica } from './doctor/check-database.ts'
import { checkDisk } from './doctor/check-disk.ts'
import { checkPorts } from './doctor/check-ports.ts'
import { checkRedis } from './doctor/check-redis.ts'
import { checkBucket, checkCertificate, checkMail, checkProvider } from './doctor/check-services.ts'
import { examine, type Finding, none, problem } from './doctor/finding.ts'
import { findRunningPostgres, hasWorkspace } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

const MARKS = { ok: ['green', 'ok  '], problem: ['red', 'FIX '], none: ['gray', '-   '] } as const
const TOPIC_WIDTH = 13

let problems = 0

function print(topic: string, findings: Finding[]) {
  for (const [n, { state, text }] of findings.entries()) {
    if (state === 'problem') problems++
    const [color, mark] = MARKS[state]
    console.log(`${styleText(color, mark)} ${(n === 0 ? topic : '').padEnd(TOPIC_WIDTH)}${text}`)
  }
}

await runCommand({}, async (config) => {
  const { databaseReadUrl, redisUrl, s3, oidc } = config
  console.log(`Parley ${VERSION}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}\n`)
  const stranger = await findStranger(config.dataDir)
  if (stranger) print('Account', [problem(stranger)])
  const clocks = createClocks()
  const secret = await findSecretOf(config).catch(() => undefined)
  const token = secret && commandToken(secret)
  const { isRunning, findings } = await checkPorts(config, token)
  print('Ports', findings)
  if (!stranger) print('Disk', await examine('DATA_DIR', () => checkDisk(config)))
  print('Database', await examine('DATABASE_URL', () => examineDatabase(config, secret, clocks)))
  if (databaseReadUrl) print('Replica', await examine('DATABASE_READ_URL', () => checkReplica(databaseReadUrl)))
  if (redisUrl) print('Redis', await examine('REDIS_URL', () => checkRedis(redisUrl)))
  print('Certificate', await examine('TLS_CERT', () => checkCertificate(config)))
  if (isRunning && token) print('Address', await examine('PUBLIC_URL', () => checkAddress({ config, token, clocks })))
  else print('Address', [none('Start Parley to have its public address examined.')])
  print('Mail', await examine('SMTP_URL', () => checkMail(config.mail)))
  if (s3) print('Files', await examine('S3_ENDPOINT', () => checkBucket({ ...config, s3 })))
  print('Backups', await examine('BACKUP_TO', () => examineBackups(config)))
  if (oidc) print('Sign-in', await examine('OIDC_ISSUER', () => checkProvider(oidc)))
  print('Clock', await examine('the clock', () => clocks.check()))
  console.log(`\n${problems === 0 ? 'Nothing' : problems === 1 ? 'One thing' : `${problems} things`} to mend.`)
  if (problems > 0) process.exitCode = 1
})

/** A sentence if this account can't use the data folder, which then belongs to another one. */
async function findStranger(dataDir: string): Promise<string | undefined> {
  const paths = [dataDir, join(dataDir, 'secrets.json')]
  for (const path of paths) {
    const code = await access(path, constants.R_OK).then(
      () => undefined,
      (error) => error.code,
    )
    if (code !== 'EACCES') continue
    const owner = await stat(path).then(
      ({ uid }) => `the account with the number ${uid}, to which it belongs`,
      () => 'the account to which it belongs',
    )
    return `User ${accountName()} can't read ${path}. Run this as ${owner}, or as root; the rest is examined as far as possible.`
  }
  return undefined
}

/** Undefined before the first start. Creates nothing. */
async function findSecretOf({ secret, dataDir }: Config) {
  return secret ?? (await findSecret(dataDir))
}

async function examineDatabase(config: Config, secret: string | undefined, clocks: Clocks) {
  if (!hasWorkspace(config))
    return [none(`There is no workspace in ${config.dataDir}. If there should be one, set DATA_DIR to its folder.`)]
  const url = await findRunningPostgres(config)
  if (!url) return [none('It runs with Parley. Start Parley to have it examined.')]
  return checkDatabase({ config, url, secret, clocks })
}

/** Before the first start there is nothing to back up. */
async function examineBackups(config: Config) {
  if (!hasWorkspace(config)) return []
  return checkBackups(config, await findRunningPostgres(config).catch(() => undefined))
}
