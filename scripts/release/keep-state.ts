// Stores a small workspace as this version stores it, without its files, for the tests that upgrade it to later ones.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../server/app.ts'
import { dumpDatabase } from '../../server/backup/dump-database.ts'
import { beginSnapshot, withConnection } from '../../server/backup/make-backup.ts'
import { newName, writeManifest } from '../../server/backup/manifest.ts'
import { openFolder } from '../../server/backup/place.ts'
import { readConfig } from '../../server/config/config.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { RELEASES } from '../../server/test/releases/releases.ts'
import { SECRET } from '../../server/test/support/secret.ts'
import { addRareRows } from './rare-rows.ts'

const [version = 'unreleased'] = process.argv.slice(2)
const dataDir = await mkdtemp(join(tmpdir(), 'parley-release-'))
try {
  const settings = { DATA_DIR: dataDir, SECRET }
  execFileSync(process.execPath, ['scripts/seed.ts'], { env: { ...process.env, ...settings }, stdio: 'inherit' })
  const config = { ...readConfig({ ...settings, SIGNUP: 'open', RATE_LIMIT: 'off' }), logLevel: 'warn' as const }
  const { identity: secret, database: password } = await loadSecrets(config)
  const { url, stop } = await startEmbeddedPostgres({ dataDir, password, log: console.log })
  try {
    const app = await buildApp({ config, databaseUrl: url, secret })
    await addRareRows(app).finally(() => app.close())
    const place = openFolder(join(RELEASES, version))
    const name = await newName(place)
    const dump = await withConnection(url, async (client) => {
      await beginSnapshot(client)
      return dumpDatabase({ client, place, name })
    })
    await writeManifest(place, { name, version, ...dump })
  } finally {
    await stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
