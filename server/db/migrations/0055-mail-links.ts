import { type Kysely, sql } from 'kysely'

/** Mailed links: to set a new password, to confirm or change an address; and invites for one address. */
export async function up(db: Kysely<never>) {
  await sql`
    -- One of each kind per person ('password', 'confirm', 'change'). Only the hash of the code is stored.
    create table mail_links (
      "userId" text not null references users on delete cascade,
      kind text not null,
      id uuid not null,
      "codeHash" text not null unique,
      -- Where the mail went: for 'change' the new address, otherwise that of the person.
      email text not null check (octet_length(email) <= 320),
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "expiresAt" timestamptz(3) not null,
      primary key ("userId", kind)
    );

    -- Whichever node changes a person, the links they had end.
    create function end_mail_links() returns trigger language plpgsql as $$
    begin
      delete from mail_links where "userId" = new.id;
      return null;
    end $$;
    create trigger end_mail_links after update of email, "deactivatedAt" on users for each row when (
      new.email <> old.email or (new."deactivatedAt" is not null and old."deactivatedAt" is null)
    ) execute function end_mail_links();
    create function end_password_links() returns trigger language plpgsql as $$
    begin
      delete from mail_links where "userId" = old."userId" and kind = 'password';
      return null;
    end $$;
    create trigger end_password_links after update of password on accounts for each row
      when (new.password is distinct from old.password) execute function end_password_links();
    create trigger end_lost_password_links after delete on accounts for each row execute function end_password_links();

    alter table invites
      -- Who may use it; null is whoever has the link. In lower case.
      add email text,
      -- When it was mailed last, and the mail: it is in the queue until it was sent.
      add "mailedAt" timestamptz(3),
      add "mailId" uuid;
    create function check_invited_address() returns trigger language plpgsql as $$
    begin
      if exists (select from invites where id = new."inviteId" and email is not null and email <> lower(new.email)) then
        raise exception 'the invite is for another address';
      end if;
      return new;
    end $$;
    create trigger check_invited_address before insert on users
      for each row when (new."inviteId" is not null) execute function check_invited_address();
  `.execute(db)
}
