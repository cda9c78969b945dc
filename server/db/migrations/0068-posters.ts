import { type Kysely, sql } from 'kysely'

/** Programs before it know no audit log; the replaced function only refuses less. */
export const floor = '0021-audit'

/** Members of a channel who may post in it, whatever its rule says about others. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table channels add posters text[] not null default '{}';

    create trigger note_posters after update on channels for each row when (
      new.kind = 'public' and new.posters is distinct from old.posters
    ) execute function note_access();

    -- post_refusal_2 of 0061, with posters.
    create or replace function post_refusal_2(channel channels, author text, act text)
    returns text language sql stable as $$
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
          or author = any(channel.posters)
          or (act = 'reply' and channel."areRepliesOpen") then null
        else 'not_posting'
      end
      from users u where u.id = author
    $$;
  `.execute(db)
}
