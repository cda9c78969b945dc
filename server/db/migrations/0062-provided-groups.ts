import { type Kysely, sql } from 'kysely'

/** Groups managed by a directory (SCIM). */
export async function up(db: Kysely<never>) {
  await sql`
    create table provided_groups (
      "groupId" uuid primary key references groups on delete cascade,
      -- The directory's own id of the group, and its name there.
      "externalId" text unique check (length("externalId") <= 255),
      "displayName" text not null check (length("displayName") between 1 and 255),
      "updatedAt" timestamptz(3) not null default clock_timestamp()
    );
    create index on provided_groups (lower("displayName"));
  `.execute(db)
}
