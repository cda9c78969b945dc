import { type Kysely, sql } from 'kysely'

/**
 * Fixes for roles, groups and providers. `send_messages_4` is the function of 0034 that calls `post_refusal_2` and
 * `mention_rows_2`. Nodes of the previous version still call the old ones; the next version drops them.
 */
export async function up(db: Kysely<never>) {
  await sql`
    -- mention_rows of 0005, without groups: their people are told by a row of the group.
    create function mention_rows_2(given jsonb, author text) returns table ("userId" text, audience text[])
    language sql immutable strict as $$
      select distinct named ->> 'userId', null::text[]
      from jsonb_array_elements(given -> 'mentions') named
      where named ->> 'userId' <> author and not coalesce((named ->> 'isGroup')::boolean, false)
      union all
      select null, case when jsonb_typeof(given -> 'audience') = 'array' then
        array(select jsonb_array_elements_text(given -> 'audience')) end
      where given ->> 'broadcast' is not null
    $$;

    -- post_refusal of 0034, but a conversation of two stays one when the assistant is in it.
    create function post_refusal_2(channel channels, author text, act text) returns text language sql stable as $$
      select case
        when author = 'assistant-bot' then null
        when u.role = 'guest' and u."guestUntil" <= clock_timestamp() then 'ended'
        when channel."archivedAt" is not null then 'archived'
        when u."mutedUntil" > clock_timestamp() then 'muted'
        -- Between the two: the assistant makes no conversation of three.
        when channel.kind = 'direct' and channel."memberCount" <= 3 and exists (
          select from blocks b join memberships m on m."userId" = b."userId" and m."channelId" = channel.id
          where b."blockedId" = author
        ) and (
          select count(*) from memberships m where m."channelId" = channel.id and m."userId" <> 'assistant-bot'
        ) = 2 then 'blocked'
        when act = 'change' or u.role = 'owner' then null
        when not coalesce((select w.permissions -> 'post' ? u.role from workspace w), true) then 'not_allowed'
        when channel.posting = 'all' or u.role = 'admin' or channel."ownerId" is not distinct from author
          or (channel.posting = 'members' and u.role = 'member')
          or (act = 'reply' and channel."areRepliesOpen") then null
        else 'not_posting'
      end
      from users u where u.id = author
    $$;

    create function send_messages_4(
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
            else coalesce(post_refusal_2(c, g.author, 'post'), 'new')
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
        from numbered n, mention_rows_2(n.mentions, n.author) c where n.outcome = 'new' and n.mentions is not null
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

    -- Whom the provider has signed out, so that a sign-in that was under way there does not outlive it.
    alter table logout_tokens
      add "accountId" text,
      add sid text,
      add "issuedAt" timestamptz(3),
      add "receivedAt" timestamptz(3);

    -- The directory's id of a person whom it has deleted. A new person may have the same address, and is somebody else.
    alter table provided_people add "formerExternalId" text;
  `.execute(db)
}
