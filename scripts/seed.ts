// Fills the workspace of DATA_DIR or DATABASE_URL with people and a week of conversations, even while Parley runs.
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../server/app.ts'
import { readConfig, readDotEnv } from '../server/config/config.ts'
import { loadSecrets } from '../server/config/secrets.ts'
import { StartError } from '../server/config/start-error.ts'
import { connectionProblem, requireCertificates } from '../server/db/connection-problem.ts'
import { openDatabase } from '../server/db/database.ts'
import { createDice } from '../server/demo/random.ts'
import { hasDemo, playDemo, readDemoWeek } from '../server/demo/week.ts'
import { prepareDatabase } from '../server/prepare-database.ts'
import { reachDatabase } from './open-postgres.ts'
import { ensureChannels } from './seed/channels.ts'
import { findFaults } from './seed/check.ts'
import { loadMessages } from './seed/load.ts'
import { canSignIn, countOthers, ensurePeople, MAX_PEOPLE, PASSWORD, type Person, takenNames } from './seed/people.ts'
import { conversation } from './seed/talk.ts'

const DAY_MS = 24 * 3600 * 1000
const HISTORY_MS = 21 * DAY_MS

interface Amounts {
  /** Undefined: enough for a first look, and none if the demo exists already. */
  messages: number | undefined
  people: number
  channels: number
  /** Milliseconds since 1970: when the week of the demo ends. */
  now: number
  /** Whether to seed even if the workspace has real users. */
  anyway: boolean
}

async function main() {
  const amounts = readAmounts()
  readDotEnv()
  // The rate limit would prevent signing up a dozen people at once. Nobody reads the demo's mail.
  // Sign-ups come from this process, whatever address people use.
  const open = { signUp: 'open' as const, publicUrl: undefined, trustProxy: [], rateLimit: false, mail: undefined }
  const config = { ...readConfig(process.env), ...open, logLevel: 'warn' as const }
  const secrets = await loadSecrets(config)
  const database = await reachDatabase(config, secrets.database).catch((error) => {
    throw new StartError(error.message)
  })
  try {
    requireCertificates(database.url)
    await refuseRealPeople(amounts, database.url).catch((error) => {
      throw connectionProblem(error, config.databaseConnections.total) ?? error
    })
    await prepareDatabase(config, database.url, secrets.identity)
    const app = await buildApp({ config, databaseUrl: database.url, secret: secrets.identity })
    await fill(app, amounts, database.url).finally(() => app.close())
  } finally {
    await database.stop()
  }
}

/** Call it before migrating the database, so that a refusal changes nothing. @throws StartError */
async function refuseRealPeople({ anyway, people }: Amounts, url: string) {
  const { db } = openDatabase(url, { onError: console.error })
  try {
    const others = await countOthers({ db })
    if (others > 0 && !anyway)
      throw new StartError(
        `This workspace has people of its own (${others}), so nothing was changed. The people of the demo share a public password: they could read every public channel. To add them anyway: npm run seed -- --anyway`,
      )
    const taken = await takenNames({ db }, people)
    if (taken.length > 0)
      throw new StartError(
        `Nothing was changed, because people of this workspace have usernames of the demo, which would write in their names: ${taken.join(', ')}. Seed another workspace.`,
      )
  } finally {
    await db.destroy()
  }
}

async function fill(app: FastifyInstance, { people: count, channels: channelCount, ...amounts }: Amounts, url: string) {
  const people = await ensurePeople(app, count)
  // Seeding has no timeout.
  const { pool } = openDatabase(url, { onError: console.error, timeoutMs: 0 })
  try {
    const isThere = await hasDemo(app)
    const { startsAt, conversations } = readDemoWeek(amounts.now)
    const createdAt = new Date(amounts.now - HISTORY_MS - DAY_MS)
    const ids = people.map(({ id }) => id)
    const channels = await ensureChannels(pool, ids, channelCount, createdAt)
    const to = isThere ? amounts.now : startsAt
    const messages = amounts.messages ?? (isThere ? 0 : 400)
    await talk(pool, { people, channels, messages, from: amounts.now - HISTORY_MS, to })
    if (isThere) console.log('The demo week is already there. To add more messages: npm run seed -- --messages 1000')
    else {
      const places = new Map(channels.map(({ name, id }) => [name, id]))
      const inChannels = conversations.filter(({ name }) => name === undefined || places.has(name))
      const byUsername = new Map(people.map(({ username, id }) => [username, id]))
      console.log(`  demo week: ${await playDemo(app, inChannels, byUsername, places)} messages`)
    }
    // Whoever signs in as the owner sees the workspace at once.
    await pool.query('update workspace set "isSetUp" = true')
    await pool.query('analyze')
    const faults = await findFaults(pool, app.storage)
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) throw new Error('The seeded data has the faults listed above.')
    console.log('Checked: numbering, revisions, threads, reactions, mentions, files and read cursors are consistent.')
  } finally {
    await pool.end()
  }
  await sayHowToSignIn(app)
}

interface Talk {
  people: Person[]
  channels: Awaited<ReturnType<typeof ensureChannels>>
  messages: number
  /** Milliseconds since 1970. */
  from: number
  to: number
}

/** Adds conversations to the channels that have topics; the first ones are the busiest. */
async function talk(pool: Parameters<typeof loadMessages>[0], { people, channels, messages, from, to }: Talk) {
  const startedAt = Date.now()
  const { rows } = await pool.query<{ n: number }>('select coalesce(sum(seq), 0)::bigint as n from channels')
  const dice = createDice(1 + (rows[0]?.n ?? 0))
  const names = new Map(people.map(({ id, name }) => [id, name.split(' ')[0] as string]))
  const open = channels.filter(({ topics }) => topics.length > 0)
  // Shares decrease from 2 to 1.
  const shares = open.map((_, i) => 2 - i / open.length)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let left = messages
  for (const [i, { id, name, members, topics, newest }] of open.entries()) {
    const count = i === open.length - 1 ? left : Math.round((messages * (shares[i] as number)) / whole)
    left -= count
    const lines = conversation({ dice, topics, members, names, count, from: Math.max(from, newest), to })
    const loaded = await loadMessages(pool, id, lines)
    // Some people have not caught up, so that there is something unread.
    await pool.query(
      `update memberships m set "lastReadSeq" = greatest(m."lastReadSeq", c.seq - $2::bigint * (hashtext(m."userId") & 3))
       from channels c where c.id = $1 and m."channelId" = c.id`,
      [id, Math.min(4, loaded)],
    )
    if (loaded > 0) console.log(`  #${name}: ${loaded} more messages, ${members.length} members`)
  }
  if (messages > 0) console.log(`  ${messages} messages in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

async function sayHowToSignIn(app: FastifyInstance) {
  if (await canSignIn(app, 'ada'))
    console.log(`\nSign in as “ada” with the password “${PASSWORD}”; everyone else has the same password.`)
  else console.log(`\n“ada” has another password by now. Sign in as “bob” with the password “${PASSWORD}”.`)
}

function readAmounts(): Amounts {
  const text = (standard: string) => ({ type: 'string', default: standard }) as const
  const { values } = parseArgs({
    options: {
      ...{ messages: { type: 'string' }, people: text('16'), channels: text('8'), now: { type: 'string' } },
      anyway: { type: 'boolean', default: false },
    },
  })
  const now = values.now === undefined ? Date.now() : Date.parse(values.now)
  if (Number.isNaN(now)) throw new StartError(`--now must be a time such as 2026-03-06T11:46:00Z, not "${values.now}".`)
  return {
    messages: values.messages === undefined ? undefined : amount('messages', values.messages, 0, 100_000_000),
    people: amount('people', values.people, 16, MAX_PEOPLE),
    channels: amount('channels', values.channels, 1, 2000),
    now,
    anyway: values.anyway,
  }
}

function amount(name: string, text: string, min: number, max: number) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new StartError(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`)
}

main().catch((error) => {
  const isForPeople = error instanceof StartError || error.code?.startsWith('ERR_PARSE_ARGS')
  console.error(isForPeople ? error.message : error)
  process.exitCode = 1
})
