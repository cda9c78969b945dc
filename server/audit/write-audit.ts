import type { FastifyRequest } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuditKind } from '#contract/audit'
import type { DB } from '../db/schema.ts'

/** Where an act comes from. */
export interface AuditSource {
  /** The client's address; of IPv6, its network. */
  address?: string | undefined
  userAgent?: string | undefined
}

/** Of a request, for the audit log. */
export const sourceOf = ({ caller, headers }: FastifyRequest): AuditSource => ({
  address: caller.rateLimitKey,
  userAgent: headers['user-agent'],
})

/**
 * Says who acts in a transaction. Call first in every transaction that changes rights, people, invites or channels: triggers
 * (migration 0021) write its lines.
 */
export async function actAs(tx: Transaction<DB>, actorId: string, { address, userAgent }: AuditSource) {
  await sql`
    select set_config('parley.actor', ${actorId}, true), set_config('parley.address', ${storable(address)}, true),
      set_config('parley.agent', ${storable(userAgent)}, true)
  `.execute(tx)
}

interface AuditLine extends AuditSource {
  kind: AuditKind
  /** Null for Parley itself, and for somebody who is not signed in. */
  actorId: string | null
  /** Whom it is about. */
  personId?: string | null
  channel?: { id: string; kind: string; name: string } | undefined
  /** Few and short. Nothing that was said or typed. */
  details?: Record<string, string | number | boolean | null>
}

/** Adds a line, in the transaction of its act if it has one. The name of a direct message is not stored. */
export async function writeAudit(db: Kysely<DB> | Transaction<DB>, line: AuditLine) {
  const { kind, actorId, personId = null, channel, details = {}, address, userAgent } = line
  await db
    .insertInto('audit_log')
    .values({
      kind,
      actorId,
      personId,
      channelId: channel?.id ?? null,
      channelKind: channel?.kind ?? null,
      channelName: channel && channel.kind !== 'direct' ? channel.name : null,
      details: JSON.stringify(details),
      address: storable(address).slice(0, 64) || null,
      userAgent: storable(userAgent).slice(0, 300) || null,
    })
    .execute()
}

/** PostgreSQL stores no zero characters and no half surrogate pairs. */
const storable = (text = '') => text.replaceAll('\0', '').toWellFormed()
