import type pg from 'pg'
import { v7 as uuid } from 'uuid'

export interface ChannelPlan {
  name: string
  about: string
  isPrivate?: boolean
  /** Fraction of all people who are in it; at least three people. */
  part: number
}

/** The channels of the demo besides #general. */
export const demoChannels: ChannelPlan[] = [
  { name: 'launch', about: 'Gangway 2 · Thursday 10:00 · decisions in threads', part: 1 },
  { name: 'engineering', about: 'Code, reviews, releases', part: 0.75 },
  { name: 'design', about: 'Screens, words, colours', part: 0.4 },
  { name: 'incidents', about: 'Calm and quick. Reports: wiki/postmortems', part: 0.5 },
  { name: 'lunch', about: 'Where, when, and who took the herring', part: 0.9 },
  { name: 'customers', about: 'What they say and what we owe them', isPrivate: true, part: 0.4 },
  { name: '世界-offices', about: '東京 · القاهرة · Πειραιάς · 上海', part: 0.6 },
]

/**
 * The members of a channel: a different section of the list of people for each, so that everyone is in some.
 * @param index of the channel
 */
export function membersOf({ part }: ChannelPlan, index: number, people: readonly string[]): string[] {
  const count = Math.max(Math.min(3, people.length), Math.round(people.length * part))
  return people.map((_, n) => people[(n + index * 5) % people.length] as string).slice(0, count)
}

/** Creates a channel like the server, at revision 1 with its initial members. */
export async function makeChannel(
  pool: Pick<pg.Pool, 'query'>,
  { name, about, isPrivate }: ChannelPlan,
  members: string[],
  createdAt: Date,
): Promise<string> {
  const id = uuid({ msecs: createdAt.getTime() })
  await pool.query(
    `with made as (
       insert into channels (id, kind, name, topic, "ownerId", "memberCount", rev, "selfRev", "createdAt", "changedAt")
       values ($1, $2, $3, $4, $5, $6, 1, 1, $7, clock_timestamp()) returning id
     )
     insert into memberships ("channelId", "userId", "joinedAt")
     select made.id, member, $7 from made, unnest($8::text[]) member`,
    [id, isPrivate ? 'private' : 'public', name, about, members[0], members.length, createdAt, members],
  )
  return id
}
