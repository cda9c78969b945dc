import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { connect, servesDirectory } from '../../server/postgres/postmaster.ts'

/** The database of a running Parley on the same folder, or one started temporarily. */
export async function reachDatabase({ dataDir, databaseUrl }: Config, password: string) {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  const url = await runningAt(join(dataDir, 'postgres'), password)
  if (url) return { url, stop: async () => {} }
  return startEmbeddedPostgres({ dataDir, password, log: console.log })
}

async function runningAt(dir: string, password: string): Promise<string | undefined> {
  const text = await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')
  const [, , , port] = text.split('\n').map(Number)
  const client = port ? await connect(port, password, 5000).catch(() => undefined) : undefined
  if (!client) return undefined
  try {
    const isThisOne = await servesDirectory(client, dir)
    return isThisOne ? `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${port}/parley` : undefined
  } finally {
    await client.end()
  }
}
