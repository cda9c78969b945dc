import type pg from 'pg'
import { type ChannelPlan, demoChannels, makeChannel, membersOf } from '../../server/demo/channels.ts'
import type { Topic } from './talk.ts'

interface Plan extends ChannelPlan {
  topics: Topic[]
}

const topicsOf: Record<string, Topic[]> = {
  ...{ engineering: ['engineering'], design: ['design'], incidents: ['incidents'], lunch: ['random'] },
  customers: ['customers'],
}
const plans: Plan[] = [
  { name: 'general', about: 'Everyone is here. Say hello.', topics: ['general'], part: 1 },
  ...demoChannels.map((plan) => ({ ...plan, topics: topicsOf[plan.name] ?? [] })),
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
    const members = membersOf(plan, i, people)
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
