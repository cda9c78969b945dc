import { type Kysely, sql } from 'kysely'

/**
 * Stores a batch of messages in one round trip: first takes the locks, then does everything else under a fresh snapshot. Each
 * statement of a volatile function sees what was committed before it began, so membership and repeats are checked as of the
 * moment the lock is held.
 *
 * Returns an outcome for each message: `new`, `stored` (a repeat, with the stored message), `reused` (its key belongs to a
 * message in another channel), `not_a_member`, `gone` (no such channel), or `busy` (another transaction holds the channel and
 * `wait` is false: nothing of that channel was stored, and the other channels did not wait for it).
 */
export async function up(db: Kysely<never>) {
  await sql`
    create function send_messages(
      given_ids uuid[], given_channels uuid[], given_authors text[], given_contents text[], given_keys text[], wait boolean
    ) returns table (
      outcome text, id uuid, "channelId" uuid, "userId" text, content text, "clientId" text,
      seq bigint, rev bigint, "createdAt" timestamptz, "updatedAt" timestamptz, "editedAt" timestamptz,
      "deletedAt" timestamptz
    ) language plpgsql volatile set lock_timeout = '1s' as $$
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
        select * from unnest(given_ids, given_channels, given_authors, given_contents, given_keys)
          with ordinality as g(id, channel, author, content, key, place)
      ), judged as (
        select g.*, c.seq as last_seq, c.rev as last_rev, stored.id as stored_id,
          case
            when c.id is null or c."deletedAt" is not null then 'gone'
            -- Before 'busy': how busy a channel is, is nobody's business outside it.
            when m."userId" is null then 'not_a_member'
            when not g.channel = any(held) then 'busy'
            when stored."channelId" = g.channel then 'stored'
            when stored.id is not null then 'reused'
            else 'new'
          end as outcome
        from given g
        left join channels c on c.id = g.channel
        left join memberships m on m."channelId" = g.channel and m."userId" = g.author
        left join messages stored on stored."userId" = g.author and stored."clientId" = g.key
      ), numbered as (
        select j.*, row_number() over (partition by j.channel, j.outcome order by j.place) as n from judged j
      ), added as (
        insert into messages (id, "channelId", "userId", content, "clientId", seq, rev, "createdAt", "updatedAt")
        select n.id, n.channel, n.author, n.content, n.key, n.last_seq + n.n, n.last_rev + n.n, moment, moment
        from numbered n where n.outcome = 'new'
      ), moved as (
        update channels c set seq = c.seq + more.n, rev = c.rev + more.n, "changedAt" = moment
        from (select channel, count(*) as n from numbered where outcome = 'new' group by channel) more
        where c.id = more.channel
      ), seen as (
        -- What one says oneself is read.
        update memberships m set "lastReadSeq" = own.seq
        from (
          select channel, author, max(last_seq + n) as seq from numbered where outcome = 'new' group by channel, author
        ) own
        where m."channelId" = own.channel and m."userId" = own.author
      )
      -- Of a new message only what was not given: its numbers and times.
      select n.outcome, coalesce(s.id, n.id), s."channelId", s."userId", s.content, s."clientId",
        coalesce(s.seq, n.last_seq + n.n), coalesce(s.rev, n.last_rev + n.n),
        coalesce(s."createdAt", moment), coalesce(s."updatedAt", moment), s."editedAt", s."deletedAt"
      from numbered n
      left join messages s on s.id = n.stored_id and n.outcome = 'stored'
      order by n.place;
    end $$;
  `.execute(db)
}
