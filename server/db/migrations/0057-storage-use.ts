import { type Kysely, sql } from 'kysely'

const rows = (table: string, sign: '' | '-') => `
  select 'person' as kind, "userId" as id, ${sign}size as bytes, ${sign}1 as files from ${table} where state = 'ready'
  union all
  select 'channel', "channelId"::text, ${sign}size, ${sign}1 from ${table} where state = 'ready' and "channelId" is not null`

const counter = (name: string, changes: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    insert into storage_use (kind, id, bytes, files)
    select kind, id, sum(bytes), sum(files) from (${changes}) changes
    group by kind, id having sum(bytes) <> 0 or sum(files) <> 0
    -- In one order, because other transactions may change the same rows.
    order by kind, id
    on conflict (kind, id) do update
      set bytes = storage_use.bytes + excluded.bytes, files = storage_use.files + excluded.files;
    return null;
  end $$;`

/** Bytes and files per person and channel, updated with each change, so that listing them needs no sums. */
export async function up(db: Kysely<never>) {
  await sql
    .raw(`
    create table storage_use (
      -- 'person' or 'channel'.
      kind text not null,
      id text not null,
      bytes bigint not null,
      files bigint not null,
      primary key (kind, id)
    );
    create index on storage_use (kind, bytes desc, id);
    ${counter('count_added_files', rows('added', ''))}
    ${counter('count_removed_files', rows('removed', '-'))}
    ${counter('count_changed_files', `${rows('removed', '-')} union all ${rows('added', '')}`)}
    -- Nothing is uploaded between the sums and the triggers.
    lock table files in share row exclusive mode;
    create trigger count_added_files after insert on files referencing new table as added
      for each statement execute function count_added_files();
    create trigger count_removed_files after delete on files referencing old table as removed
      for each statement execute function count_removed_files();
    create trigger count_changed_files after update on files referencing old table as removed new table as added
      for each statement execute function count_changed_files();
    insert into storage_use (kind, id, bytes, files)
    select kind, id, sum(bytes), sum(files) from (${rows('files', '')}) held group by kind, id;
  `)
    .execute(db)
}
