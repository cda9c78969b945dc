import { type Kysely, sql } from 'kysely'

/**
 * When everybody will need a second factor. Until then `demandsSecondFactor` is false, so nodes of the previous version demand
 * it at the same moment.
 */
export async function up(db: Kysely<never>) {
  await sql`alter table workspace add "secondFactorAt" timestamptz(3)`.execute(db)
}
