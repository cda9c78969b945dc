// Fills the workspace of DATA_DIR or DATABASE_URL with named people and their conversations. Run again, it adds to them.
import { parseArgs } from 'node:util'
import { buildApp } from '../server/app.ts'
import { readConfig, readDotEnv } from '../server/config.ts'
import { type Database, openDatabase } from '../server/db/database.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { migrate } from '../server/db/migrate.ts'
import { keepSecrets } from '../server/secrets.ts'
import { StartError } from '../server/start-error.ts'
import { ensureChannels } from './seed-channels.ts'
import { findFaults } from './seed-check.ts'
import { loadMessages } from './seed-load.ts'
import { ensurePeople, PASSWORD } from './seed-people.ts'
import { createDice } from './seed-random.ts'
import { conversation } from './seed-talk.ts'

const DAY = 24 * 3600 * 1000
const WEEKS = 21 * DAY

interface Amounts {
  messages: number
  people: number
  channels: number
}

async function main() {
  const amounts = readAmounts()
  readDotEnv()
  // Signing up a dozen people at once is what the limit is there to stop.
  const config = { ...readConfig(process.env), rateLimit: false, logLevel: 'warn' as const }
  const secrets = await keepSecrets(config.dataDir)
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.database, log: console.log })
  const databaseUrl = config.databaseUrl ?? (postgres?.url as string)
  const database = openDatabase(databaseUrl, { onError: console.error, patience: 0 })
  try {
    await migrate(database.db)
    const app = await buildApp({ config, databaseUrl, secret: secrets.identity })
    const people = await ensurePeople(app, amounts.people).finally(() => app.close())
    await fill(database, people, amounts)
  } finally {
    await database.db.destroy()
    await postgres?.stop()
  }
}

async function fill({ pool }: Database, people: { id: string; name: string }[], amounts: Amounts) {
  const startedAt = Date.now()
  const { rows } = await pool.query<{ n: number }>('select coalesce(sum(seq), 0)::bigint as n from channels')
  const dice = createDice(1 + (rows[0]?.n ?? 0))
  const names = new Map(people.map(({ id, name }) => [id, name.split(' ')[0] as string]))
  const channels = await ensureChannels(pool, [...names.keys()], amounts.channels, new Date(startedAt - WEEKS - DAY))
  // The first channels are the busy ones: shares fall from 2 to 1.
  const shares = channels.map((_, i) => 2 - i / channels.length)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let left = amounts.messages
  for (const [i, channel] of channels.entries()) {
    const count = i === channels.length - 1 ? left : Math.round((amounts.messages * (shares[i] as number)) / whole)
    left -= count
    const from = Math.max(startedAt - WEEKS, channel.newest)
    const { members, topics } = channel
    const lines = conversation({ dice, topics, members, names, count, from, to: startedAt })
    const loaded = await loadMessages(pool, channel.id, lines)
    // Some people have not caught up, so that there is something unread.
    await pool.query(
      `update memberships m set "lastReadSeq" = greatest(m."lastReadSeq", c.seq - $2::bigint * (hashtext(m."userId") & 3))
       from channels c where c.id = $1 and m."channelId" = c.id`,
      [channel.id, Math.min(4, loaded)],
    )
    console.log(`  #${channel.name}: ${loaded} messages more, ${members.length} members`)
  }
  await pool.query('analyze')
  const seconds = (Date.now() - startedAt) / 1000
  console.log(`\n${amounts.messages} messages in ${seconds.toFixed(1)} s.`)

  const faults = await findFaults(pool)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) throw new Error('What was written breaks the rules above.')
  console.log('Checked: numbers without gaps, revisions, members and read marks agree in every channel.')
  console.log(`\nSign in as ada, bob, mei, tomas … with the password “${PASSWORD}”.`)
}

function readAmounts(): Amounts {
  const text = (standard: string) => ({ type: 'string', default: standard }) as const
  const { values } = parseArgs({ options: { messages: text('600'), people: text('12'), channels: text('8') } })
  return {
    messages: amount('messages', values.messages, 0, 100_000_000),
    people: amount('people', values.people, 2, 2000),
    channels: amount('channels', values.channels, 1, 2000),
  }
}

function amount(name: string, text: string, min: number, max: number) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new StartError(`--${name} takes a whole number from ${min} to ${max}; it is ${JSON.stringify(text)}.`)
}

main().catch((error) => {
  const isForPeople = error instanceof StartError || error.code?.startsWith('ERR_PARSE_ARGS')
  console.error(isForPeople ? error.message : error)
  process.exitCode = 1
})
