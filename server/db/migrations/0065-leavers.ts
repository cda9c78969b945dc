import { type Kysely, sql } from 'kysely'

/**
 * The choice made for the channels of a deactivated person, until it is done or they are reactivated. Stored, because handing
 * over hundreds of channels takes longer than a request, and the node may stop. A node of an earlier version gives the channels
 * to their longest-standing members.
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table leavers (
      id uuid primary key,
      "userId" text not null unique references users on delete cascade,
      "actorId" text not null references users on delete cascade,
      -- Who gets the channels.
      "heirId" text references users on delete cascade,
      -- Whether channels are deleted that nobody else has written in.
      "deletesChannels" boolean not null
    );
    create index on leavers ("actorId");
    create index on leavers ("heirId");

    create function stay() returns trigger language plpgsql as $$
    begin
      delete from leavers where "userId" = new.id;
      return null;
    end $$;
    create trigger stay after update of "deactivatedAt" on users
      for each row when (old."deactivatedAt" is not null and new."deactivatedAt" is null) execute function stay();
  `.execute(db)
}
