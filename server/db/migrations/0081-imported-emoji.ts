import { type Kysely, sql } from 'kysely'

/** Which import brought an emoji, so that undoing that import removes it. No reference, which would be a new rule for old versions. */
export async function up(db: Kysely<never>) {
  await sql`alter table emoji add "importId" uuid`.execute(db)
}
