import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { migrate, readChanges } from '../../db/migrate.ts'
import { atEnd } from './cleanup.ts'
import { onDatabase, urlOf } from './database.ts'

/** An empty database; removed when the test file ends. */
export async function newDatabase(): Promise<string> {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onDatabase(postgresUrl, (client) => client.query(`create database ${name}`))
  atEnd(() => onDatabase(postgresUrl, (client) => client.query(`drop database if exists ${name} with (force)`)))
  return urlOf(postgresUrl, name)
}

/** A database in the state of an earlier version. @param last the name of that version's last migration */
export async function databaseAt(last: string): Promise<string> {
  const url = await newDatabase()
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  const changes = Object.entries(await readChanges()).filter(([name]) => name <= last)
  await migrate(db, { changes: Object.fromEntries(changes) }).finally(() => db.destroy())
  return url
}

/** A separate database account with a password; removed when the test file ends. @returns the URL with that account */
export async function newAccount(databaseUrl: string, options = ''): Promise<{ name: string; url: string }> {
  const name = `account_${randomBytes(6).toString('hex')}`
  await onDatabase(databaseUrl, (client) => client.query(`create role ${name} login password 'secret' ${options}`))
  atEnd(() => onDatabase(databaseUrl, (client) => client.query(`drop owned by ${name}; drop role ${name}`)))
  const url = new URL(databaseUrl)
  url.username = name
  url.password = 'secret'
  return { name, url: url.href }
}
