import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { to as copyTo } from 'pg-copy-streams'
import { describe, expect, test } from 'vitest'
import { findBackup, type Manifest, rowsOf, tableKey } from '../../backup/manifest.ts'
import { readPacked } from '../../backup/packed.ts'
import { openFolder } from '../../backup/place.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { readConfig } from '../../config/config.ts'
import { onDatabase } from '../support/database.ts'
import { databaseAt, newDatabase } from '../support/new-database.ts'
import { SECRET, serve } from '../support/parley.ts'
import { readSchema } from '../support/schema-breaks.ts'
import { RELEASES } from './releases.ts'

const releases = readdirSync(RELEASES, { withFileTypes: true })
  .filter((it) => it.isDirectory())
  .map(({ name }) => name)
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/** A restore writes to them. */
const CHANGED = ['audit_log', 'migrations', 'workspace']

const place = (release: string) => openFolder(join(RELEASES, release))

/** The values of a table's columns, in the format of COPY: a line for each row. */
const valuesOf = async (stream: AsyncIterable<Buffer>, from: string[], wanted: string[]) =>
  (await text(Readable.from(stream)))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map((values) => wanted.map((column) => values[from.indexOf(column)]).join('\t'))
    .sort()

/** Compares all rows of a release with those of the upgraded database, in the columns that still exist. */
async function compareRows(url: string, release: string, manifest: Manifest) {
  await onDatabase(url, async (client) => {
    await client.query(`set timezone = 'UTC'`)
    for (const { name, columns, ...stored } of manifest.tables.filter((it) => !CHANGED.includes(it.name))) {
      const { rows } = await client.query(`select column_name as column from information_schema.columns
        where table_schema = 'public' and table_name = '${name}'`)
      const kept = columns.filter((column) => rows.some((row) => row.column === column))
      const now = client.query(copyTo(`copy "${name}" (${kept.map((it) => `"${it}"`).join()}) to stdout`))
      const before = await readPacked(place(release), tableKey(manifest.name, name), stored)
      expect(await valuesOf(now, kept, kept), name).toEqual(await valuesOf(before, columns, kept))
    }
  })
}

test('each release has kept a database', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const named = [...changelog.matchAll(/^## (\d+\.\d+\.\d+),/gm)].map(([, version]) => version)
  expect(releases.toReversed()).toEqual(named)
})

describe.each(releases)('a database of %s', (release) => {
  test('is upgraded to the present schema, keeps all rows, and can be used', async () => {
    const manifest = await findBackup(place(release))
    const url = await newDatabase()
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: await mkdtemp(join(tmpdir(), 'parley-release-')), SECRET })
    await restoreBackup({ databaseUrl: url, config, secret: SECRET, place: place(release), manifest })
    expect(await onDatabase(url, readSchema)).toEqual(await onDatabase(await databaseAt('9999'), readSchema))
    await compareRows(url, release, manifest)

    const { app } = await serve(url)
    const payload = { username: 'ada', password: 'correct horse' }
    const { cookies } = await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
    const cookie = cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
    const { token } = (await app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
    const get = async (path: string) => {
      const answer = await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
      expect(answer.statusCode, path).toBe(200)
      return answer.json()
    }
    const { channels } = await get('/api/channels')
    expect(channels.length).toBeGreaterThan(4)
    for (const { id } of channels) await get(`/api/messages/channel/${id}`)
    for (const path of ['threads', 'users', 'groups', 'invites', 'reports', 'retention', 'search?q=deploy'])
      await get(`/api/${path}`)
    expect(rowsOf(manifest, 'messages')).toBeGreaterThan(500)
  })
})
