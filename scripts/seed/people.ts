import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { noneIfMissing } from '../../server/db/database.ts'
import { demoPeople } from '../../server/demo/people.ts'

/** Everyone's password; the workspace is a demo. */
export const PASSWORD = 'correct horse'

const first =
  'Anna Ben Clara Dmitri Elif Farid Greta Hugo Ines Jonas Kira Luis Maya Nils Olga Pablo Quinn Rosa Sam Tara'
const last =
  'Abbott Berg Costa Diaz Endo Fischer Green Haas Ivanova Jensen Khan Lopez Moreau Novak Ortiz Park Reyes Sato'

export interface Person {
  id: string
  username: string
  name: string
}

/** Signs up people of the demo who don't exist yet. */
export async function ensurePeople(app: FastifyInstance, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await ensurePerson(app, personAt(i)))
  return people
}

const emailOf = (username: string) => `${username}@example.com`

/** The number of different names. */
export const MAX_PEOPLE = 2000

/**
 * The number of people in this workspace who are not from the demo. Its password is public, so seeding is refused if there are
 * any. 0 if the database is empty.
 */
export async function countOthers({ db }: Pick<FastifyInstance, 'db'>): Promise<number> {
  const names = Array.from({ length: MAX_PEOPLE }, (_, i) => personAt(i).username)
  const others = db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '<>', ASSISTANT)
    .where(sql<boolean>`not (username = any(${names}) and email = username || '@example.com')`)
    .executeTakeFirst()
  return Number((await noneIfMissing(others))?.count ?? 0)
}

/** Usernames of the demo that belong to other people: the demo would write in their names, and mention them. */
export async function takenNames({ db }: Pick<FastifyInstance, 'db'>, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => personAt(i).username)
  const others = db
    .selectFrom('users')
    .select('username')
    .where('username', 'in', names)
    .where('email', '<>', sql<string>`username || '@example.com'`)
    .orderBy('username')
    .execute()
  return ((await noneIfMissing(others)) ?? []).map(({ username }) => username as string)
}

async function ensurePerson(app: FastifyInstance, { username, name }: (typeof demoPeople)[number]): Promise<Person> {
  const known = await app.db
    .selectFrom('users')
    .select(['id', 'username', 'name'])
    .where('username', '=', username)
    .execute()
  if (known[0]) return known[0]
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: { username, name, email: emailOf(username), password: PASSWORD },
  })
  if (answer.statusCode !== 200) throw new Error(`${username} could not sign up: ${answer.body}`)
  const { id } = answer.json().user
  // Not newcomers.
  await app.db.updateTable('users').set({ isWelcomed: true }).where('id', '=', id).execute()
  return { id, username, name }
}

/** Whether the user of this name has the demo's password. */
export async function canSignIn(app: FastifyInstance, username: string): Promise<boolean> {
  const payload = { username, password: PASSWORD }
  const answer = await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  return answer.statusCode === 200
}

/** The people listed above, then combinations of names, then the same with numbers. */
function personAt(i: number) {
  const person = demoPeople[i]
  if (person) return person
  const [firsts, lasts] = [first.split(' '), last.split(' ')]
  const n = i - demoPeople.length
  // Both names change at each step, so that the first hundred are not all called Anna.
  const [given, family] = [
    firsts[n % firsts.length] as string,
    lasts[(n + Math.floor(n / 180)) % lasts.length] as string,
  ]
  const round = Math.floor(n / (firsts.length * lasts.length))
  const suffix = round > 0 ? String(round + 1) : ''
  return {
    username: `${given}.${family}${suffix}`.toLowerCase(),
    name: `${given} ${family}${suffix && ` ${suffix}`}`,
  }
}
