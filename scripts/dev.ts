// Keeps the database running while the server restarts; Vite stands in front of it, so there is one origin.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

// Vite stands in front at PORT, the server behind it at the next one.
const behind = String(config.port + 1)
const databaseUrl = config.databaseUrl ?? postgres?.url
const children = [
  start(['--watch', '--watch-preserve-output', 'server/main.ts'], {
    PORT: behind,
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
  }),
  start(['node_modules/vite/bin/vite.js', 'web'], { PORT: String(config.port), PARLEY_PORT: behind }),
]
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), ...children.map((child) => once(child, 'exit'))])
for (const child of children) child.kill('SIGTERM')
await Promise.all(
  children.filter((child) => child.exitCode === null && !child.signalCode).map((child) => once(child, 'exit')),
)
await postgres?.stop()

function start(args: string[], settings: NodeJS.ProcessEnv) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } })
}
