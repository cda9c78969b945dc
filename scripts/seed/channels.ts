import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import type { Topic } from './talk.ts'

export interface Plan {
  name: string
  about: string
  topics: Topic[]
  isPrivate?: boolean
  /** Fraction of all people who are in it; at least three people. */
  part: number
}

const plans: Plan[] = [
  { name: 'general', about: 'Everyone is here. Say hello.', topics: ['general'], part: 1 },
  { name: 'launch', about: 'Gangway 2 · Thursday 10:00 · decisions in threads', topics: [], part: 1 },
  { name: 'engineering', about: 'Code, reviews, releases', topics: ['engineering'], part: 0.75 },
  { name: 'design', about: 'Screens, words, colours', topics: ['design'], part: 0.4 },
  { name: 'incidents', about: 'Calm and quick. Reports: wiki/postmortems', topics: ['incidents'], part: 0.5 },
  { name: 'lunch', about: 'Where, when, and who took the herring', topics: ['random'], part: 0.9 },
  { name: 'customers', about: 'What they say and what we owe them', topics: ['customers'], isPrivate: true, part: 0.4 },
  { name: '世界-offices', about: '東京 · القاهرة · Πειραιάς · 上海', topics: [], part: 0.6 },
  { name: 'product', about: 'What we build next, and why', topics: ['product'], part: 0.6 },
  { name: 'random', about: 'Croissants and octopuses', topics: ['random'], part: 0.9 },
  { name: 'hiring', about: 'Only for those who interview', topics: ['hiring'], isPrivate: true, part: 0.3 },
  { name: 'platform', about: 'Hosts, queues, databases', topics: ['engineering', 'incidents'], part: 0.3 },
]
const projects = 'atlas beacon cobalt dune ember fjord glacier harbor iris juniper kestrel lagoon meadow nimbus orchid'

interface SeedChannel {
  id: string
  name: string
  topics: Topic[]
  members: string[]
  /** Time of its newest message in milliseconds since 1970; later messages follow it. 0 if there is none. */
  newest: number
}

/**
 * The first `count` channels with their members. Uses an existing channel of that name if its owner is one of these people (or
 * everybody is in it), and skips somebody else's.
 */
export async function ensureChannels(pool: pg.Pool, people: string[], count: number, createdAt: Date) {
  const channels: SeedChannel[] = []
  for (let i = 0; i < count; i++) {
    const plan = planAt(i)
    const memberCount = Math.max(Math.min(3, people.length), Math.round(people.length * plan.part))
    // A different section of the list of people for each channel, so that everyone is in some.
    const members = people.map((_, n) => people[(n + i * 5) % people.length] as string).slice(0, memberCount)
    const there = await findChannel(pool, plan.name)
    if (there && !there.isGeneral && !people.includes(there.ownerId ?? '')) continue
    const id = there?.id ?? (await makeChannel(pool, plan, members, createdAt))
    channels.push({ ...(await readChannel(pool, id)), name: plan.name, topics: plan.topics })
  }
  return channels
}

async function findChannel(pool: pg.Pool, name: string) {
  const { rows } = await pool.query<{ id: string; ownerId: string | null; isGeneral: boolean }>(
    `select c.id, c."ownerId", c.id = w."generalId" as "isGeneral" from channels c cross join workspace w
     where lower(c.name) = lower($1) and c."deletedAt" is null and c.kind <> 'direct'`,
    [name],
  )
  return rows[0]
}

/** Creates a channel like the server, at revision 1 with its initial members. */
export async function makeChannel(pool: pg.Pool, { name, about, isPrivate }: Plan, members: string[], createdAt: Date) {
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

/** Includes members added outside this script, who send messages as well. */
async function readChannel(pool: pg.Pool, id: string) {
  const { rows } = await pool.query<{ members: string[]; newest: string | null }>(
    `select array(select "userId" from memberships where "channelId" = $1 order by "userId") as members,
       (select "createdAt" from messages where "channelId" = $1 order by seq desc limit 1) as newest`,
    [id],
  )
  const [{ members, newest } = { members: [], newest: null }] = rows
  return { id, members, newest: newest ? Date.parse(newest) : 0 }
}

function planAt(i: number): Plan {
  const plan = plans[i]
  if (plan) return plan
  const n = i - plans.length
  const names = projects.split(' ')
  const round = Math.floor(n / names.length)
  const name = `project-${names[n % names.length]}${round > 0 ? `-${round + 1}` : ''}`
  return { name, about: `All about ${name.slice(8)}`, topics: ['engineering', 'product', 'design'], part: 0.3 }
}
