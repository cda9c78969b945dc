// Keeps the database running while the server restarts; Vite stands in front of it, so there is one origin.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'vite'
import { readConfig, readDotEnv } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { keepSecrets } from '../server/secrets.ts'
import { root } from './install.mjs'

readDotEnv()
const config = readConfig(process.env)
const secrets = await keepSecrets(config.dataDir)
const postgres = config.databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.database, log: console.log })

const behind = config.port + 1
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: String(behind), HOST: '127.0.0.1', DATABASE_URL: config.databaseUrl ?? postgres?.url },
})
try {
  process.env['PARLEY_PORT'] = String(behind)
  const vite = await createServer({ configFile: `${root}/web/vite.config.ts`, server: { port: config.port } })
  await vite.listen()
  console.log(`\n  Parley with hot reload: http://localhost:${config.port}\n`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(server, 'exit')])
  await vite.close()
} finally {
  server.kill('SIGTERM')
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  await postgres?.stop()
}
