import pg from 'pg'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { databaseAt } from '../test/support/new-database.ts'
import { breaksOf, readSchema } from '../test/support/schema-breaks.ts'
import { openDatabase } from './database.ts'
import { readChanges } from './migrate.ts'

// docs/decisions/0022-upgrades.md: a release only adds to the schema, because nodes of the previous version use it as well.

/** The last migration that predates the rules. */
const LAST_FREE = '0015-language-changes'

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  return client
}

test('migrations only add to the schema, or set a floor', async () => {
  const url = await databaseAt(LAST_FREE)
  const client = await connect(url)
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  atEnd(() => db.destroy())
  const changes = await readChanges()
  const names = Object.keys(changes)
  const problems: string[] = []
  for (const [i, name] of names.entries()) {
    const { up, floor } = changes[name] as (typeof changes)[string]
    if (name <= LAST_FREE) continue
    const before = await readSchema(client)
    await db.transaction().execute(up)
    const breaks = breaksOf(before, await readSchema(client))
    if (breaks.length > 0 && !floor) problems.push(...breaks.map((it) => `${name}: ${it}`))
    if (floor && !names.slice(0, i).includes(floor)) problems.push(`${name}: its floor is no earlier migration`)
  }
  expect(problems, 'see docs/decisions/0022-upgrades.md').toEqual([])
})

const ADDITIONS = [
  'alter table channels add "pinCount" integer',
  'alter table channels add "pinCount" integer not null default 0',
  'create table pins (id uuid primary key, "channelId" uuid not null references channels, n integer check (n > 0), unique (n))',
  'create index on messages ("editedAt")',
  'drop index messages_search',
  'create function count_pins() returns integer language sql as $$ select 1 $$',
  `create function count_pins() returns trigger language plpgsql as $$ begin return new; end $$;
   create trigger count_pins before insert on channels for each row execute function count_pins()`,
  'alter table users drop constraint users_role_check',
  'alter table users alter name drop not null',
]

const BREAKS: [change: string, told: string][] = [
  ['drop table reactions', 'table reactions is gone'],
  ['alter table reactions rename to replies', 'table reactions is gone'],
  ['alter table memberships drop muted', 'column memberships.muted is gone'],
  ['alter table channels rename topic to subject', 'column channels.topic is gone'],
  ['alter table messages alter seq type integer', 'column messages.seq is another'],
  ['alter table mentions alter "threadId" set not null', 'required column mentions.threadId is new'],
  ['alter table channels alter topic drop default', 'required column channels.topic is new'],
  ['alter table reactions add size integer not null', 'required column reactions.size is new'],
  [`alter table channels add check (topic <> 'x')`, 'rule channels.channels_topic_check is new'],
  ['alter table users add unique (name)', 'rule users.users_name_key is new'],
  ['create unique index one_name on users (name)', 'rule users.one_name is new'],
  ['alter table files add foreign key ("messageId") references messages', 'rule files.files_messageId_fkey1 is new'],
  ['drop trigger note_change on users', 'trigger users.note_change is gone'],
  ['drop function revoke_session cascade', 'function revoke_session() is gone'],
  [
    'create or replace function note_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'function note_change() is another',
  ],
]

test('the check distinguishes additions from changes that break the previous version', async () => {
  const client = await connect(await databaseAt(LAST_FREE))
  await client.query('create index messages_search on messages ("createdAt")')
  const before = await readSchema(client)
  const breaksFrom = async (change: string) => {
    await client.query('begin')
    await client.query(change)
    const breaks = breaksOf(before, await readSchema(client))
    await client.query('rollback')
    return breaks
  }
  for (const change of ADDITIONS) expect(await breaksFrom(change), change).toEqual([])
  for (const [change, told] of BREAKS) expect(await breaksFrom(change), change).toContain(told)
})
