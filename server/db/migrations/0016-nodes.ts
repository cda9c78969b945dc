import { type Kysely, sql } from 'kysely'

/** State shared by the nodes of a workspace. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace
      -- Of the secret that all nodes share (server/identity/secret-check.ts); null until the first one of this version
      -- starts.
      add "secretFingerprint" text,
      -- When a node last looked for bytes without a row; each time one node does it for all.
      add "orphansScannedAt" timestamptz(3),
      -- The oldest migration that a program must know to run on this schema; see server/db/migrate.ts.
      add "schemaFloor" text not null default '0015-language-changes';

    -- The owner of the index may do this; the account that the nodes use need not be its owner.
    create function merge_search_keys() returns void language sql security definer set search_path from current as $$
      select gin_clean_pending_list('search_blocks_grams')
    $$;
  `.execute(db)
}
