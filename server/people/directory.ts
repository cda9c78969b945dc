import { sql } from 'kysely'

/** Whether a directory manages people and groups, that is, has a valid token. Otherwise people here do. */
export const hasDirectory = sql<boolean>`exists (select from provisioning_tokens where "revokedAt" is null)`
