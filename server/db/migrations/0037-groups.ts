import { type Kysely, sql } from 'kysely'

/** Groups: sets of people and of other groups, with names that no person has. */
export async function up(db: Kysely<never>) {
  await sql`
    create table groups (
      id uuid primary key,
      -- As in '@design'; people and groups share one set of names.
      username text not null unique,
      name text not null,
      "createdAt" timestamptz(3) not null default clock_timestamp()
    );
    create table group_people (
      "groupId" uuid not null references groups on delete cascade,
      "userId" text not null references users on delete cascade,
      primary key ("groupId", "userId")
    );
    create index on group_people ("userId");
    create table group_parts (
      "groupId" uuid not null references groups on delete cascade,
      "partId" uuid not null references groups on delete cascade,
      primary key ("groupId", "partId"),
      check ("groupId" <> "partId")
    );
    create index on group_parts ("partId");

    -- Two transactions that take the same name, one for a person and one for a group, follow each other.
    create function keep_names_apart() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('username'), hashtext(new.username));
      if tg_table_name = 'users' and exists (select from groups g where g.username = new.username) then
        raise unique_violation using constraint = 'users_username_key', message = 'a group has this name';
      elsif tg_table_name = 'groups' and exists (select from users u where u.username = new.username) then
        raise unique_violation using constraint = 'groups_username_key', message = 'a person has this name';
      end if;
      return new;
    end $$;
    create trigger keep_names_apart_on_insert before insert on users for each row execute function keep_names_apart();
    create trigger keep_names_apart_on_update before update of username on users
      for each row when (new.username is distinct from old.username) execute function keep_names_apart();
    create trigger keep_names_apart before insert or update of username on groups
      for each row execute function keep_names_apart();

    -- Nodes notice that groups changed by this number.
    alter table workspace add "groupsVersion" integer not null default 0;
    create function note_groups() returns trigger language plpgsql as $$
    begin
      update workspace set "groupsVersion" = "groupsVersion" + 1;
      return null;
    end $$;
    create trigger note_groups after insert or update or delete on groups
      for each statement execute function note_groups();
    -- By row: whoever deletes a person of no group, changes no group.
    create trigger note_group_people after insert or delete on group_people
      for each row execute function note_groups();
    create trigger note_group_parts after insert or delete on group_parts
      for each statement execute function note_groups();

    -- The groups that a group consists of, itself included, and how deep each lies. No cycle can loop: a group counts once per
    -- depth, and depths are bounded.
    create function parts_of_group(given uuid) returns table (id uuid, depth integer) language sql stable as $$
      with recursive part(id, depth) as (
        select given, 0
        union
        select p."partId", part.depth + 1 from part join group_parts p on p."groupId" = part.id where part.depth < 10
      )
      select part.id, max(part.depth) from part group by part.id
    $$;
    create function people_of_group(given uuid) returns setof text language sql stable as $$
      select distinct gp."userId" from group_people gp join parts_of_group(given) part on part.id = gp."groupId"
    $$;

    -- Set on the row of a mentioned group; its audience are those of it who were in the channel.
    alter table mentions add "groupId" uuid;
  `.execute(db)
}
