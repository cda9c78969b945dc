import type { FastifyRequest } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuditKind } from '#contract/audit'
import type { DB } from '../db/schema.ts'

/** The origin of an act. */
export interface AuditSource {
  /** The client's address, or its network for IPv6. */
  address?: string | undefined
  userAgent?: string | undefined
}

/** The source of a request. */
export const sourceOf = ({ caller, headers }: FastifyRequest): AuditSource => ({
  address: caller.rateLimitKey,
  userAgent: headers['user-agent'],
})

/**
 * Sets who acts in a transaction. Call it first in every transaction that changes permissions, people, invites or channels:
 * triggers (migration 0021) write the lines.
 */
export async function actAs(tx: Transaction<DB>, actorId: string, { address, userAgent }: AuditSource) {
  await sql`
    select set_config('parley.actor', ${actorId}, true), set_config('parley.address', ${storable(address)}, true),
      set_config('parley.agent', ${storable(userAgent)}, true)
  `.execute(tx)
}

interface AuditLine extends AuditSource {
  kind: AuditKind
  /** Null for Parley itself, and for people who are not signed in. */
  actorId: string | null
  /** The person concerned. */
  personId?: string | null
  channel?: { id: string; kind: string; name: string } | undefined
  /** Few and short, and nothing that people wrote in messages. */
  details?: Record<string, string | number | boolean | null>
}

/** Adds a line, in the transaction of its act if there is one. Doesn't store the name of a direct message. */
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

/** PostgreSQL can't store NUL characters and lone surrogates. */
const storable = (text = '') => text.replaceAll('\0', '').toWellFormed()
