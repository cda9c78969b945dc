import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { numeral, Time } from './ids.ts'
import { limits } from './limits.ts'

export const CertificateHealth = z.object({
  /** The names it is for. */
  names: z.array(z.string()),
  /** Whether Parley obtains and renews it. */
  isAutomatic: z.boolean(),
  /** Null if there is none yet. */
  endsAt: z.nullable(Time),
  /** Whether it ought to have been replaced by now. */
  endsSoon: z.boolean(),
  /** Why the last attempt to obtain one failed, and when Parley tries again. */
  lastError: z.nullable(z.string()),
  retriesAt: z.nullable(Time),
})
export type CertificateHealth = z.output<typeof CertificateHealth>

/** The workspace's health, as seen by the node that answers. */
export const WorkspaceHealth = z.object({
  version: z.string(),
  /** When this node started. */
  startedAt: Time,
  database: z.object({ version: z.string(), bytes: z.number() }),
  /** Null if a proxy ends TLS, or nothing does. */
  certificate: z.nullable(CertificateHealth),
  /** Nodes on the database, and those that this node reaches over the bus. */
  nodes: z.object({ running: z.int(), heard: z.int() }),
  bus: z.enum(['database', 'redis']),
  files: z.object({ place: z.enum(['disk', 's3']), count: z.number(), bytes: z.number() }),
  backups: z.object({ isScheduled: z.boolean(), lastAt: z.nullable(Time) }),
  /** `lastError` is the mail server's last response for a mail that is still waiting or has failed. */
  mail: z.object({ isSent: z.boolean(), waiting: z.int(), failed: z.int(), lastError: z.nullable(z.string()) }),
})
export type WorkspaceHealth = z.output<typeof WorkspaceHealth>

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/workspace/health',
  summary: 'Versions, certificate, nodes, bus, files, backups and mail. For the owner and admins.',
  reply: WorkspaceHealth,
})

export const storageKinds = ['person', 'channel'] as const
export const StorageEntry = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  files: z.int(),
})
export type StorageEntry = z.output<typeof StorageEntry>

export const listStorage = endpoint({
  method: 'GET',
  path: '/api/workspace/storage',
  summary:
    'Who uploaded most, or which channels hold most, largest first. Of private channels and direct messages only the sum, unless the owner lists private channels. For the owner and admins.',
  query: z.object({
    by: z.enum(storageKinds, fieldProblem('errors.notOneOf', { options: storageKinds.join(', ') })),
    /** `next` of the previous page. */
    cursor: z.optional(z.string().check(z.regex(/^\d{1,18}_.{1,64}$/, fieldProblem('errors.invalidInput')))),
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
  }),
  reply: z.object({
    entries: z.array(StorageEntry),
    next: z.nullable(z.string()),
    /** The total of entries not listed by name. */
    hidden: z.object({ bytes: z.number(), files: z.int() }),
  }),
})

export const Setting = z.object({
  /** The environment variable. */
  name: z.string(),
  /** Null if unset or secret. */
  value: z.nullable(z.string()),
  isSet: z.boolean(),
})
export type Setting = z.output<typeof Setting>

export const listSettings = endpoint({
  method: 'GET',
  path: '/api/workspace/settings',
  summary:
    'The settings of this server, by the name of their variable; secrets are not shown. For the owner and admins.',
  reply: z.array(Setting),
})
