import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { type AuditSource, sourceOf } from '../../audit/write-audit.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { readWorkspaceName } from '../../db/workspace-name.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { newDeviceMail } from '../../mail/new-device-mail.ts'
import { deviceOf } from '../../text/device-name.ts'

/** Survives signing out, so that the browser is known at the next sign-in. It gives no access. */
const COOKIE = 'parley.browser'
const PATTERN = /(?:^|; ?)parley\.browser=([\w-]{22})(?:;|$)/
const MAX_AGE_SECONDS = 400 * 24 * 3600
/** Per person; the least recently seen one is dropped. */
const MAX_DEVICES = 100

const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('base64url')

export interface Device {
  /** Its cookie's value. */
  id: string
  /** What identifies it: its cookie, or the address and user agent for programs without cookies. */
  hashes: [string, string]
  source: AuditSource
}

export function readDevice(request: FastifyRequest): Device {
  const source = sourceOf(request)
  const id = PATTERN.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(16).toString('base64url')
  return { id, hashes: [hashOf(id), hashOf(source.address ?? '', source.userAgent ?? '')], source }
}

/** Sets or renews a browser's cookie. */
export function giveDevice({ id }: Device, { caller }: FastifyRequest, reply: FastifyReply) {
  const secure = caller.isSecure ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${id}; Max-Age=${MAX_AGE_SECONDS}; Path=/api/auth; HttpOnly; SameSite=Lax${secure}`,
  )
}

/**
 * Records that somebody signed in on a device. Returns whether it is new to them; their first recorded device doesn't count as
 * new.
 */
async function noteDevice(tx: Transaction<DB>, userId: string, { hashes }: Device): Promise<boolean> {
  // Of two concurrent sign-ins on a new device, only one counts as new.
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  const known = await tx.selectFrom('known_devices').select('deviceHash').where('userId', '=', userId).execute()
  const isKnown = known.some(({ deviceHash }) => hashes.includes(deviceHash))
  const lastSeenAt = sql<string>`clock_timestamp()`
  await tx
    .insertInto('known_devices')
    .values(hashes.map((deviceHash) => ({ userId, deviceHash })))
    .onConflict((it) => it.columns(['userId', 'deviceHash']).doUpdateSet({ lastSeenAt }))
    .execute()
  const newest = tx
    .selectFrom('known_devices')
    .select('deviceHash')
    .where('userId', '=', userId)
    .orderBy('lastSeenAt', 'desc')
    .limit(MAX_DEVICES)
  await tx.deleteFrom('known_devices').where('userId', '=', userId).where('deviceHash', 'not in', newest).execute()
  return known.length > 0 && !isKnown
}

interface SignIn {
  sessionId: string
  userId: string
  device: Device
}

/** Marks a session on a new device, and notifies the person if mail is configured. */
export const noteSignIn = (db: Db, config: Config, { sessionId, userId, device }: SignIn) =>
  db.transaction().execute(async (tx) => {
    if (!(await noteDevice(tx, userId, device))) return
    await tx.updateTable('sessions').set({ isNewDevice: true }).where('id', '=', sessionId).execute()
    if (!config.mail) return
    const { email, username, language } = await tx
      .selectFrom('users')
      .select(['email', 'username', 'language'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const { address, userAgent } = device.source
    const { publicUrl } = config.mail
    const name = deviceOf(userAgent ?? null).device
    const workspace = await readWorkspaceName(tx)
    const at = new Date()
    const content = newDeviceMail({ language, username, workspace, device: name, address, at, publicUrl })
    await enqueueMail(tx, config, { to: email, userId, content })
  })
