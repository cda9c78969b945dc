import { type Kysely, sql } from 'kysely'

/**
 * A person's colour, a number below 30 (`web/ui/person-color.ts`). A trigger assigns it, so that every way of adding a person
 * does, including nodes of the previous version. Null for the assistant, and for people from before until a node fills it in
 * (`server/people/colors.ts`).
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users add color smallint;
    create index "users_color" on users (color) where "erasedAt" is null;
    create index "users_withoutColor" on users ("createdAt", id) where color is null and id <> 'assistant-bot';

    -- The first of the least used colours: neighbours in this order differ most. Counts up to ten, so that the cost doesn't
    -- grow; once all are used that often, any will do. Takes no lock: two people who sign up at once may get the same one.
    create function assign_color() returns trigger language plpgsql as $$
    begin
      select given.color into new.color
      from generate_series(0, 29) as given(color)
      cross join lateral (
        select count(*) as uses from (
          select from users u where u.color = given.color and u."erasedAt" is null limit 10
        ) counted
      ) counts
      order by uses, case when uses < 10 then given.color else random() end
      limit 1;
      return new;
    end $$;
    create trigger assign_color before insert on users
      for each row when (new.color is null and new.id <> 'assistant-bot') execute function assign_color();
  `.execute(db)
}
