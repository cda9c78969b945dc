import * as z from 'zod'
import { StartError } from './start-error.ts'

/** The maximum number of connections of a node, by purpose. */
export interface DatabaseConnections {
  /** Their sum; the database must allow as many per node. */
  total: number
  main: number
  search: number
  identity: number
  /** For the bus; 0 if it runs over Redis. */
  bus: number
}

export type DatabaseSettings = {
  /** An external PostgreSQL; undefined runs the embedded one. */
  databaseUrl: string | undefined
  /** A read replica of it, which searches use. */
  databaseReadUrl: string | undefined
  databaseConnections: DatabaseConnections
  /** Whether a start migrates the database; otherwise it only checks that the command `migrate` did. */
  migrate: boolean
  /** Redis or Valkey for the bus; undefined uses PostgreSQL. */
  redisUrl: string | undefined
}

const MIN_CONNECTIONS = 10
const MAX_CONNECTIONS = 500
const DEFAULT_CONNECTIONS = 27
const SEARCH_SHARE = 4 / DEFAULT_CONNECTIONS
const IDENTITY_SHARE = 6 / DEFAULT_CONNECTIONS
/** 0 if the bus runs over Redis. */
const BUS_CONNECTIONS = 1

const aNumber = `must be a whole number from ${MIN_CONNECTIONS} to ${MAX_CONNECTIONS}`

export const isUrl = (schemes: string[]) => (value: string) => schemes.includes(URL.parse(value)?.protocol ?? '')

const postgresUrl = z
  .string()
  .refine(isUrl(['postgres:', 'postgresql:']), 'must be an address such as postgres://user:password@host:5432/parley')
  .optional()

/** Requires a host, and a name and password that can be decoded. */
function isRedisUrl(value: string): boolean {
  try {
    decodeURIComponent(value)
    return isUrl(['redis:', 'rediss:'])(value) && new URL(value).hostname !== ''
  } catch {
    return false
  }
}

/** The environment variables of the database and the bus. */
export const databaseEnvironment = {
  DATABASE_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  DATABASE_CONNECTIONS: z.coerce
    .number(aNumber)
    .int(aNumber)
    .min(MIN_CONNECTIONS, aNumber)
    .max(MAX_CONNECTIONS, aNumber)
    .default(DEFAULT_CONNECTIONS),
  MIGRATE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  REDIS_URL: z
    .string()
    .refine(isRedisUrl, 'must be an address such as redis://:password@host:6379 or rediss://user:password@host:6379')
    .optional(),
}

type Environment = z.output<z.ZodObject<typeof databaseEnvironment>>

/** @throws StartError */
export function readDatabaseSettings(env: Environment): DatabaseSettings {
  const { DATABASE_URL: databaseUrl, DATABASE_READ_URL: databaseReadUrl, REDIS_URL: redisUrl } = env
  if (databaseReadUrl && !databaseUrl)
    throw new StartError('DATABASE_URL is required with DATABASE_READ_URL: the embedded PostgreSQL has no replica.')
  if (redisUrl && !databaseUrl)
    throw new StartError('DATABASE_URL is required with REDIS_URL: Redis connects nodes that share a database.')
  return {
    databaseUrl,
    databaseReadUrl,
    databaseConnections: splitConnections(env.DATABASE_CONNECTIONS, redisUrl ? 0 : BUS_CONNECTIONS),
    migrate: env.MIGRATE === 'on',
    redisUrl,
  }
}

/** Search and the identity have connections of their own, so that neither can starve the other queries. */
function splitConnections(total: number, bus: number): DatabaseConnections {
  const search = Math.round(total * SEARCH_SHARE)
  const identity = Math.round(total * IDENTITY_SHARE)
  return { total, search, identity, bus, main: total - search - identity - bus }
}
