import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../server/test/support/database.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { SERVER_COMMAND } from '../../server/test/support/server-command.ts'
import { clusterUrl } from './cluster.ts'

/**
 * A real Parley in a separate process, as run by `npm start`, with its own data folder and database. With an empty DATABASE_URL
 * it uses its embedded PostgreSQL.
 * @param settings may depend on its address
 * @param root the folder of its program; `start` accepts a different one, as after an upgrade
 */
export async function startServer(
  settings: Record<string, string> | ((address: string) => Record<string, string>) = {},
  root = process.cwd(),
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'))
  let child: ChildProcess
  let ownerLink = ''
  // Stays the same after a restart.
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const given = typeof settings === 'function' ? settings(address) : settings
  const cluster = clusterUrl()
  const database =
    cluster && given['DATABASE_URL'] === undefined ? await createDatabase(cluster) : { url: '', drop: async () => {} }

  async function start(from = root) {
    child = spawn(process.execPath, SERVER_COMMAND, {
      cwd: from,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(port),
        HOST: '127.0.0.1',
        RATE_LIMIT: 'off',
        // No test may reach the internet.
        LINK_PREVIEWS: 'off',
        // Overrides the developer's settings from the environment or a .env file.
        DATABASE_URL: database.url,
        REDIS_URL: '',
        SECRET: '',
        PUBLIC_URL: '',
        LOG_LEVEL: 'warn',
        // Ends with this process, however that ends.
        PARLEY_PARENT_PID: String(process.pid),
        ...given,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { stdout, stderr } = child
    let output = ''
    stderr?.pipe(process.stderr, { end: false })
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code, signal) => reject(new Error(`Parley did not start (${signal ?? code}): ${output}`)))
      stderr?.on('data', (chunk) => (output += chunk))
      stdout?.on('data', (chunk) => {
        output += chunk
        const [link] = /\/sign-up#\S+/.exec(String(chunk)) ?? []
        ownerLink = link ?? ownerLink
        if (String(chunk).includes('Parley is ready')) resolve()
      })
    })
  }

  async function stop() {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async function remove() {
    await stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  await start().catch(async (error) => {
    await remove()
    throw error
  })
  return {
    address,
    port,
    dataDir,
    databaseUrl: given['DATABASE_URL'] ?? database.url,
    /** The path of the link for the first owner, as printed. */
    ownerLink,
    start,
    stop,
    remove,
  }
}

/** A network connection to the server that can be cut, and that can hold back some of its responses. */
export async function startProxy(port: number) {
  const ends = new Set<Socket>()
  const browserEnds = new Set<Socket>()
  let cut = false
  let refused: string | undefined
  let held: string | undefined
  let holdsNextOnly = false
  const proxy = createServer((near) => {
    if (cut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        browserEnds.delete(end)
        near.destroy()
        far.destroy()
      })
    }
    browserEnds.add(near)
    near.on('data', (chunk: Buffer) => {
      const begins = (request?: string) => request && chunk.toString('latin1').startsWith(request)
      if (begins(held)) {
        near.cork()
        if (holdsNextOnly) held = undefined
      }
      if (!begins(refused)) return
      near.destroy()
      far.destroy()
    })
    near.pipe(far).pipe(near)
    return undefined
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut: () => {
      cut = true
      for (const end of ends) end.destroy()
    },
    /** Cuts connections on which a matching request arrives, such as 'POST /api/messages', even those of a closing page. */
    refuse: (request: string) => {
      refused = `${request} `
    },
    restore: () => {
      cut = false
      refused = undefined
    },
    /** Matching requests, as for `refuse`, reach the server, but their responses reach the browser only after `release`. */
    hold: (request: string) => {
      held = `${request} `
      holdsNextOnly = false
    },
    /** Like `hold`, but holds only the first matching request. */
    holdNext: (request: string) => {
      held = `${request} `
      holdsNextOnly = true
    },
    release: () => {
      held = undefined
      for (const end of browserEnds) end.uncork()
    },
    close: () => proxy.close(),
  }
}
