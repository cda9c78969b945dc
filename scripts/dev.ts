// Keeps the database running while the server restarts; Vite proxies to it, so there is one origin.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readConfig, readDotEnv } from '../server/config/config.ts'
import { loadSecrets } from '../server/config/secrets.ts'
import { StartError } from '../server/config/start-error.ts'
import { freePort, startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { stopSignal } from '../server/process/stop-signal.ts'
import { root } from './run-node.mjs'

async function main() {
  const { stopped } = stopSignal()
  readDotEnv()
  const config = readConfig(process.env)
  const secrets = await loadSecrets(config)
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.database, log: console.log })
  try {
    const [port, behind] = [String(config.port || (await freePort())), String(await freePort())]
    const DATABASE_URL = config.databaseUrl ?? postgres?.url
    const children = [
      start(['--watch', '--watch-preserve-output', 'server/main.ts'], {
        PORT: behind,
        HOST: '127.0.0.1',
        DATABASE_URL,
      }),
      start(['node_modules/vite/bin/vite.js', 'web'], { PORT: port, PARLEY_PORT: behind }),
    ]
    const exits = children.map((child) => once(child, 'exit'))
    await Promise.race([stopped, ...exits])
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(exits)
  } finally {
    await postgres?.stop()
  }
}

function start(args: string[], settings: NodeJS.ProcessEnv) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } })
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
