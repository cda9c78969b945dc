import type pg from 'pg'
import { loadMessages } from '../../scripts/seed/load.ts'
import { conversation, type Topic } from '../../scripts/seed/talk.ts'
import { makeChannel } from '../../server/demo/channels.ts'
import { createDice } from '../../server/demo/random.ts'

const DAY_MS = 24 * 3600 * 1000
const topics: Topic[] = ['engineering', 'incidents', 'product', 'design', 'customers', 'random', 'world']

export interface SignedUpUser {
  id: string
  token: string
}

/** Signs people up through the API. @param ownerCode of the printed link, if the settings name a proxy */
export async function signUp(port: number, count: number, ownerCode?: string): Promise<SignedUpUser[]> {
  const people: SignedUpUser[] = []
  const address = `http://127.0.0.1:${port}`
  for (let n = 1; n <= count; n++) {
    const username = `speaker-${n}`
    const answer = await fetch(`${address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({
        username,
        name: `SignedUpUser ${n}`,
        email: `${username}@example.com`,
        password: 'correct horse',
        invite: n === 1 ? ownerCode : undefined,
      }),
    })
    if (!answer.ok) throw new Error(`${username} could not sign up: ${await answer.text()}`)
    const { user } = (await answer.json()) as { user: { id: string } }
    const cookie = answer.headers.getSetCookie().map((it) => it.split(';')[0])
    const tokenResponse = await fetch(`${address}/api/auth/token`, { headers: { cookie: cookie.join('; ') } })
    const { token } = (await tokenResponse.json()) as { token: string }
    // Most page loads are not a newcomer's.
    await fetch(`${address}/api/users/me/welcome`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    // The first one owns the workspace, and would see the screen to set it up.
    if (n === 1)
      await fetch(`${address}/api/workspace/set-up`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    people.push({ id: user.id, token })
  }
  return people
}

/** Creates a channel of everyone with messages of the last three weeks, and returns its id. */
export async function createFilledChannel(
  pool: pg.Pool,
  name: string,
  members: string[],
  count: number,
): Promise<string> {
  const now = Date.now()
  const plan = { name, about: '', part: 1 }
  const id = await makeChannel(pool, plan, members, new Date(now - 22 * DAY_MS))
  await loadMessages(pool, id, talk(members, count, now))
  return id
}

/** Realistic message texts of all lengths. */
export const contentsToSend = (count: number) => [...talk(['nobody'], count, Date.now())].map(({ content }) => content)

/** `count` messages of the last three weeks, or since `from`. */
export const talk = (members: string[], count: number, now: number, from = now - 21 * DAY_MS) =>
  conversation({
    dice: createDice(count),
    topics,
    members,
    names: new Map([['', 'Ada']]),
    count,
    from,
    to: now,
  })
