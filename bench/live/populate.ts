import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../../server/db/database.ts'
import { makeChannel } from '../../server/demo/channels.ts'
import { signUp } from '../setup/sign-up-people.ts'
import { createHttpPool } from './http-pool.ts'

export interface ConnectedUser {
  id: string
  token: string
  /** `general` and four others. */
  channelIds: string[]
}

/** Channels per person besides `general`, and people in each of those. */
const CHANNELS_PER_USER = 4
const USERS_PER_CHANNEL = 5

/**
 * Creates people, each with a session. All but the first are written directly into the database, because hashing a password
 * takes 50 ms. They fetch their tokens from the API with a cookie, like a browser.
 */
export async function populate(port: number, { pool }: Database, secret: string, count: number) {
  const [first] = await signUp(port, 1)
  const sessions = Array.from({ length: count }, (_, n) => ({ n, token: randomBytes(24).toString('base64url') }))
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, name, username, email)
     select gen_random_uuid()::text, 'Listener ' || n, 'listener-' || n, 'listener-' || n || '@example.com'
     from generate_series(1, $1::int - 1) n returning id`,
    [count],
  )
  const ids = [first?.id as string, ...rows.map(({ id }) => id)]
  await pool.query(
    `insert into sessions (id, token, "userId", "expiresAt")
     select gen_random_uuid()::text, token, id, now() + interval '1 day' from unnest($1::text[], $2::text[]) as t(id, token)`,
    [ids, sessions.map(({ token }) => token)],
  )
  const general = await addEveryoneToGeneral(pool, ids)
  const channels = Math.max(CHANNELS_PER_USER, Math.ceil((count * CHANNELS_PER_USER) / USERS_PER_CHANNEL))
  const others: string[] = []
  for (let n = 0; n < channels; n++) {
    // Person i is in the channels i, i + 1, i + 2 and i + 3.
    const members = ids.filter((_, i) => (n - (i % channels) + channels) % channels < CHANNELS_PER_USER)
    others.push(await makeChannel(pool, { name: `place-${n}`, about: '', part: 1 }, members, new Date()))
  }
  await pool.query('analyze')
  const tokens = await fetchTokens(
    port,
    sessions.map(({ token }) => cookieOf(token, secret)),
  )
  const people = ids.map((id, i) => ({
    id,
    token: tokens[i] as string,
    channelIds: [general, ...Array.from({ length: CHANNELS_PER_USER }, (_, n) => others[(i + n) % channels] as string)],
  }))
  return { people, general }
}

async function addEveryoneToGeneral(pool: Database['pool'], ids: string[]): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `with joined as (
       insert into memberships ("channelId", "userId") select "generalId", member from workspace, unnest($1::text[]) member
       on conflict do nothing returning 1
     )
     update channels set "memberCount" = $2 from workspace where channels.id = "generalId" returning channels.id`,
    [ids, ids.length],
  )
  return rows[0]?.id as string
}

/** The session cookie as set by the identity. */
function cookieOf(token: string, secret: string) {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `parley.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

async function fetchTokens(port: number, cookies: string[]): Promise<string[]> {
  const httpPool = createHttpPool(() => [port], 16)
  try {
    return await Promise.all(
      cookies.map(async (cookie) => {
        const { status, text } = await httpPool.send({ method: 'GET', path: '/api/auth/token', headers: { cookie } })
        if (status !== 200) throw new Error(`no token: ${status} ${text}`)
        return (JSON.parse(text) as { token: string }).token
      }),
    )
  } finally {
    httpPool.close()
  }
}
