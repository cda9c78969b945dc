import { type Kysely, sql } from 'kysely'

/**
 * Permissions of roles, guests, archived channels, posting rules of channels, mutes and blocks.
 *
 * `send_messages_3` is the function of 0017 that also calls `post_refusal`. Nodes of the previous version still call
 * `send_messages_2`; the next version drops it.
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users drop constraint users_role_check;
    -- Or 'guest'. A new rule would be one that nodes of the version before do not know.
    alter table users
      -- When a guest's access ends.
      add "guestUntil" timestamptz(3),
      add "mutedUntil" timestamptz(3);
    create index on users ("guestUntil") where role = 'guest';
    create trigger note_limits before update on users for each row when (
      (new."guestUntil", new."mutedUntil") is distinct from (old."guestUntil", old."mutedUntil")
    ) execute function note_change();

    alter table workspace
      -- By permission, the roles that have it; what is not named is as by default (contract/permissions.ts).
      add permissions jsonb not null default '{}',
      -- Whether the owner sees private channels by name in the administration.
      add "listsPrivateChannels" boolean not null default false;

    alter table invites add "guestUntil" timestamptz(3);
    create table invite_channels (
      "inviteId" uuid not null references invites on delete cascade,
      "channelId" uuid not null references channels on delete cascade,
      primary key ("inviteId", "channelId")
    );
    create index on invite_channels ("channelId");
    -- Channels that a guest was invited to and has not entered yet.
    create table guest_channels (
      "userId" text not null references users on delete cascade,
      "channelId" uuid not null references channels on delete cascade,
      primary key ("userId", "channelId")
    );
    create index on guest_channels ("channelId");
    create function admit_guest() returns trigger language plpgsql as $$
    begin
      select 'guest', i."guestUntil" into new.role, new."guestUntil" from invites i
      where i.id = new."inviteId" and i."guestUntil" is not null;
      new.role := coalesce(new.role, 'member');
      return new;
    end $$;
    create trigger admit_guest before insert on users
      for each row when (new."inviteId" is not null) execute function admit_guest();
    create function note_guest_channels() returns trigger language plpgsql as $$
    begin
      insert into guest_channels ("userId", "channelId")
      select new.id, "channelId" from invite_channels where "inviteId" = new."inviteId";
      return null;
    end $$;
    create trigger note_guest_channels after insert on users
      for each row when (new.role = 'guest') execute function note_guest_channels();

    alter table channels
      add "archivedAt" timestamptz(3),
      -- 'all', 'members' or 'admins'.
      add posting text not null default 'all',
      add "areRepliesOpen" boolean not null default true,
      add broadcasting text not null default 'all';
    create trigger note_rules after update on channels for each row when (
      new.kind = 'public' and (new."archivedAt", new.posting, new."areRepliesOpen", new.broadcasting)
        is distinct from (old."archivedAt", old.posting, old."areRepliesOpen", old.broadcasting)
    ) execute function note_access();

    create table blocks (
      "userId" text not null references users on delete cascade,
      "blockedId" text not null references users on delete cascade,
      "createdAt" timestamptz(3) not null default now(),
      primary key ("userId", "blockedId"),
      check ("userId" <> "blockedId")
    );
    create index on blocks ("blockedId");

    create table reports (
      id uuid primary key,
      "messageId" uuid not null references messages on delete cascade,
      "reporterId" text not null references users on delete cascade,
      -- What was reported, which may be edited or deleted later.
      content text not null,
      reason text not null default '',
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "closedAt" timestamptz(3),
      "closedBy" text references users on delete set null,
      unique ("messageId", "reporterId")
    );
    create index on reports ("createdAt") where "closedAt" is null;
    create index on reports ("reporterId");
    create index on reports ("closedBy");

    -- Why a member may not do something in a channel; null if they may. 'change' is an edit or a reaction. It is can.post and
    -- can.reply in SQL, with what only the server knows.
    create function post_refusal(channel channels, author text, act text) returns text language sql stable as $$
      select case
        when author = 'assistant-bot' then null
        when u.role = 'guest' and u."guestUntil" <= clock_timestamp() then 'ended'
        when channel."archivedAt" is not null then 'archived'
        when u."mutedUntil" > clock_timestamp() then 'muted'
        when channel.kind = 'direct' and channel."memberCount" = 2 and exists (
          select from blocks b join memberships m on m."userId" = b."userId" and m."channelId" = channel.id
          where b."blockedId" = author
        ) then 'blocked'
        when act = 'change' or u.role = 'owner' then null
        when not coalesce((select w.permissions -> 'post' ? u.role from workspace w), true) then 'not_allowed'
        when channel.posting = 'all' or u.role = 'admin' or channel."ownerId" is not distinct from author
          or (channel.posting = 'members' and u.role = 'member')
          or (act = 'reply' and channel."areRepliesOpen") then null
        else 'not_posting'
      end
      from users u where u.id = author
    $$;

    create function send_messages_3(
      given_ids uuid[], given_channels uuid[], given_authors text[], given_contents text[], given_keys text[],
      given_mentions jsonb[], wait boolean
    ) returns table (
      outcome text, id uuid, seq bigint, rev bigint, "createdAt" timestamptz, "lastRemoval" bigint
    )
    language plpgsql volatile set lock_timeout = '1s' as $$
    #variable_conflict use_column
    declare
      held uuid[];
      moment timestamptz(3);
    begin
      -- What else may be held, an author's row or a key on its way elsewhere, must not hold up a whole group for long.
      perform set_config('lock_timeout', case when wait then '1s' else '100ms' end, true);
      if wait then
        select array_agg(it.id) into held from (
          select c.id from channels c where c.id = any(given_channels) order by c.id for no key update
        ) it;
      else
        select array_agg(it.id) into held from (
          select c.id from channels c where c.id = any(given_channels) order by c.id for no key update skip locked
        ) it;
      end if;
      held := coalesce(held, '{}');
      -- After the lock, so that times follow the numbers.
      moment := clock_timestamp();

      return query
      with given as (
        select * from unnest(given_ids, given_channels, given_authors, given_contents, given_keys, given_mentions)
          with ordinality as g(id, channel, author, content, key, mentions, place)
      ), judged as (
        select g.*, c.seq as last_seq, c.rev as last_rev, c."lastRemoval" as last_removal, stored.id as stored_id,
          case
            when c.id is null or c."deletedAt" is not null then 'gone'
            -- Before 'busy': how busy a channel is, is nobody's business outside it.
            when m."userId" is null then 'not_a_member'
            when not g.channel = any(held) then 'busy'
            when stored."channelId" = g.channel and stored."threadId" is null then 'stored'
            when stored.id is not null then 'reused'
            else coalesce(post_refusal(c, g.author, 'post'), 'new')
          end as outcome
        from given g
        left join channels c on c.id = g.channel
        left join memberships m on m."channelId" = g.channel and m."userId" = g.author
        left join messages stored on stored."userId" = g.author and stored."clientId" = g.key
      ), numbered as (
        select j.*, j.last_seq + n as seq, j.last_rev + n as rev
        from (select *, row_number() over (partition by channel, outcome order by place) as n from judged) j
      ), added as (
        insert into messages
          (id, "channelId", "userId", content, "clientId", seq, rev, "createdAt", "updatedAt", mentions, broadcast)
        select n.id, n.channel, n.author, n.content, n.key, n.seq, n.rev, moment, moment,
          coalesce(n.mentions -> 'mentions', '[]'), n.mentions ->> 'broadcast'
        from numbered n where n.outcome = 'new'
      ), mentioned as (
        insert into mentions ("messageId", "channelId", seq, "authorId", "userId", audience)
        select n.id, n.channel, n.seq, n.author, c."userId", c.audience
        from numbered n, mention_rows(n.mentions, n.author) c where n.outcome = 'new' and n.mentions is not null
      ), moved as (
        update channels c
        set seq = c.seq + more.n, rev = c.rev + more.n, "changedAt" = moment, "lastMessageAt" = moment
        from (select channel, count(*) as n from numbered where outcome = 'new' group by channel) more
        where c.id = more.channel
      ), seen as (
        -- What one says oneself is read.
        update memberships m set "lastReadSeq" = own.seq
        from (select n.channel, n.author, max(n.seq) as seq from numbered n where n.outcome = 'new' group by 1, 2) own
        where m."channelId" = own.channel and m."userId" = own.author
      )
      select n.outcome, case n.outcome when 'stored' then n.stored_id else n.id end, n.seq, n.rev, moment, n.last_removal
      from numbered n order by n.place;
    end $$;
  `.execute(db)
}
