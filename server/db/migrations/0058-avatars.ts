import { type Kysely, sql } from 'kysely'

/**
 * Pictures of people. All sizes are stored in one file, whose row is `kept`: in no list, of no channel, and swept only after its
 * picture was removed. `users.image` is the URL of the largest one.
 */
export async function up(db: Kysely<never>) {
  await sql`
    -- Or 'kept'. A new rule would be one that nodes of the version before do not know.
    alter table files drop constraint files_state_check;

    create table avatars (
      "userId" text primary key references users on delete cascade,
      "fileId" uuid not null references files,
      -- Of the bytes, as it stands in the URL.
      hash text not null,
      -- Bytes of each size, smallest first, as they lie one after the other in the file.
      sizes integer[] not null
    );
    create index on avatars ("fileId");

    -- However a picture goes, the sweep finds its bytes, and nobody is sent to them any more.
    create function drop_avatar() returns trigger language plpgsql as $$
    begin
      update files set state = 'gone', "touchedAt" = clock_timestamp() where id = old."fileId";
      if tg_op = 'DELETE' then update users set image = null where id = old."userId"; end if;
      return null;
    end $$;
    create trigger drop_avatar after delete on avatars for each row execute function drop_avatar();
    create trigger drop_replaced_avatar after update on avatars
      for each row when (new."fileId" <> old."fileId") execute function drop_avatar();

    -- Every node notices who has another picture.
    create trigger note_picture before update on users
      for each row when (new.image is distinct from old.image) execute function note_change();
  `.execute(db)
}
