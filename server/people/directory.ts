import { sql } from 'kysely'

/** Whether a directory may write people and groups: one has a token. Without one, they belong to the people here. */
export const hasDirectory = sql<boolean>`exists (select from provisioning_tokens where "revokedAt" is null)`
