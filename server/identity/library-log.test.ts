import fastify from 'fastify'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { loggerOptions } from '../process/logger.ts'
import { libraryLog } from './library-log.ts'

const TYPED = 'mei@example.com'

function openLog() {
  const lines: string[] = []
  return {
    lines,
    log: libraryLog(fastify({ logger: loggerOptions('info', { write: (line) => lines.push(line) }) }).log),
  }
}

/** The error of a real database. */
async function failed(...statements: [text: string, values?: unknown[]][]) {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    for (const [text, values = []] of statements) await client.query(text, values)
  } catch (error) {
    return error
  } finally {
    await client.end()
  }
  throw new Error('the statements did not fail')
}

test.each([
  ['a value of the wrong type', '22P02', () => failed(['select $1::uuid', [TYPED]])],
  ['a value of several lines', '22P02', () => failed(['select $1::uuid', [`x\n    at ${TYPED}`]])],
  [
    'an error of a trigger',
    'P0001',
    () => failed([`do $$ begin raise exception 'no %', '${TYPED}' using detail = '${TYPED}'; end $$`]),
  ],
])('for %s the log has the code, but not the text', async (_, code, fail) => {
  const { lines, log } = openLog()
  log('error', 'Failed to create user', [await fail()])
  expect(lines.join()).not.toContain(TYPED)
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    msg: 'Failed to create user',
    err: { code, stack: expect.stringContaining('library-log.test.ts') },
  })
})

test('for a violated unique constraint the log has the constraint and the table', async () => {
  const { lines, log } = openLog()
  const error = await failed(
    ['create temporary table names (name text constraint one_name unique)'],
    ['insert into names values ($1), ($1)', [TYPED]],
  )
  log('error', 'Failed to create user', [error])
  expect(lines.join()).not.toContain(TYPED)
  expect(JSON.parse(lines[0] as string).err).toMatchObject({ code: '23505', constraint: 'one_name', table: 'names' })
})

test('an error that the library logs in place of a message is treated as a database error', async () => {
  const { lines, log } = openLog()
  log('error', (await failed(['select $1::uuid', [TYPED]])) as never, [])
  expect(lines.join()).not.toContain(TYPED)
  expect(JSON.parse(lines[0] as string).err).toMatchObject({ code: '22P02' })
})

test('other errors keep their message', () => {
  const { lines, log } = openLog()
  log('error', 'Failed', [new TypeError('x is not a function')])
  expect(JSON.parse(lines[0] as string).err).toMatchObject({ message: 'x is not a function' })
})
