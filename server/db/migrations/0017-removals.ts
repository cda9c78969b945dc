import { type Kysely, sql } from 'kysely'

/**
 * Each channel names the transaction that last removed somebody's access, so that a node that publishes a later change knows
 * which removal its sockets must have followed (`server/realtime/removals.ts`).
 *
 * `send_messages_2` is the function of 0005 that also returns it. Nodes of the previous version still call `send_messages`; the
 * next version drops it.
 */
export async function up(db: Kysely<never>) {
  await sql`
    -- A transaction id, or 0 if nobody ever lost access.
    alter table channels add "lastRemoval" bigint not null default 0;

    create function note_removal() returns trigger language plpgsql as $$
    begin
      new."lastRemoval" := pg_current_xact_id()::text::bigint;
      return new;
    end $$;
    -- A member left, or a public channel became private.
    create trigger note_removal before update on channels
      for each row when (
        new."memberCount" < old."memberCount" or (old.kind = 'public' and new.kind <> 'public')
      ) execute function note_removal();

    create function send_messages_2(
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
            else 'new'
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
