import { rm } from 'node:fs/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { io as connect, type Socket } from 'socket.io-client'
import { inject, vi } from 'vitest'
import type { Payload, ServerEvent } from '#contract/events'
import { buildApp } from '../../app.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { ownerCodeOf, readEntry } from '../../identity/workspace-entry.ts'
import type { Bounds } from '../../limits/bounds.ts'
import { atEnd } from './cleanup.ts'
import { dataDirOf } from './data-dir.ts'
import { createDatabase } from './database.ts'
import { SECRET } from './secret.ts'
import { type NewPerson, storePerson } from './store-person.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

export { SECRET }

const PASSWORD = 'correct horse'
/** Tests wait for mail, and for answers to appear or stop. */
const SHORT_INTERVALS = { mailPollMs: 50, answerHeartbeatMs: 200 }

interface LogTo {
  write(line: string): void
}

/** Starts a server on a new database; removed when the test file ends. */
export async function startParley(
  settings: NodeJS.ProcessEnv = {},
  logTo?: LogTo,
  bounds?: Partial<Bounds>,
  busUrl?: string,
) {
  const { url: databaseUrl, drop } = await createDatabase(inject('postgresUrl'))
  const { app, address } = await serve(databaseUrl, settings, logTo, bounds, busUrl)
  let open = true
  const stop = async () => {
    if (!open) return
    open = false
    await app.close()
    await drop()
    await rm(dataDirOf(databaseUrl), { recursive: true, force: true })
  }
  atEnd(stop)
  const person = (username: string, invite?: string) => signUp(app, address, username, invite)
  /**
   * One after the other: hashing many passwords at a time would make some sign-ups time out. The first person owns the workspace.
   */
  async function people<Name extends string>(...names: Name[]) {
    const all = {} as Record<Name, Person>
    for (const name of names) all[name] = await person(name)
    return all
  }
  return { app, address, databaseUrl, stop, person, people }
}

/** An unreachable bus: such a node finds changes of others only by polling. */
export const NO_BUS = 'postgres://127.0.0.1:9/none'

/** A database's URL through a proxy. */
export function urlThrough(databaseUrl: string, { address }: { address: string }) {
  const url = new URL(databaseUrl)
  url.host = new URL(address).host
  return url.href
}

/** Starts one more server on a database; stopped when the test file ends. */
export async function serve(
  databaseUrl: string,
  settings: NodeJS.ProcessEnv = {},
  logTo?: LogTo,
  bounds?: Partial<Bounds>,
  busUrl?: string,
) {
  const config: Config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    // No test may reach the internet.
    LINK_PREVIEWS: 'off',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDirOf(databaseUrl),
    ...settings,
  })
  const app = await buildApp({
    config,
    databaseUrl,
    ...(busUrl && { busUrl }),
    secret: SECRET,
    ...(logTo && { logTo }),
    bounds: { ...SHORT_INTERVALS, ...bounds },
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  atEnd(() => app.close())
  return { app, address }
}

/** Waits until nodes are peers. */
export async function untilPeers(...nodes: { app: FastifyInstance }[]) {
  await vi.waitUntil(() => nodes.every(({ app }) => app.bus.peers().length === nodes.length - 1), {
    timeout: STATE_TIMEOUT_MS,
    interval: 5,
  })
}

export type Person = Awaited<ReturnType<typeof signUp>>

/** Signs up a person, optionally with an invite's code; they act over HTTP and a real socket. */
export async function signUp(app: FastifyInstance, address: string, username: string, invite?: string) {
  const name = username[0]?.toUpperCase() + username.slice(1)
  const identity = { name, username, email: `${username}@example.com`, password: PASSWORD }
  // As if the owner had completed the first screen.
  await app.db.updateTable('workspace').set({ isSetUp: true }).where('isSetUp', '=', false).execute()
  const stored = invite === undefined ? await storePerson(app, identity) : undefined
  const { id, cookie, token } = stored ?? (await signUpByCall(app, identity, invite))
  return { id, ...identity, cookie, ...actAs(app, address, token) }
}

/** Signs up through the API. */
export async function signUpByCall(app: FastifyInstance, identity: NewPerson, invite?: string) {
  // Some settings make this machine look like another one.
  const entry = await readEntry(app.db, app.config)
  const code = invite ?? (entry.isFounded ? undefined : ownerCodeOf(entry, SECRET))
  const payload = { ...identity, invite: code }
  const post = (url: string) => app.inject({ method: 'POST', url, payload })
  let signedUp = await post('/api/auth/sign-up/email')
  // On a busy machine, a sign-up may be rejected although the account was stored.
  for (let retries = 0; signedUp.statusCode === 503 && retries < 5; retries++) {
    signedUp = await post('/api/auth/sign-up/email')
    if (signedUp.statusCode >= 400 && signedUp.statusCode !== 503) signedUp = await post('/api/auth/sign-in/email')
  }
  if (signedUp.statusCode !== 200) throw new Error(`${identity.username} could not sign up: ${signedUp.body}`)
  const cookie = signedUp.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token } = (await app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  return { id: signedUp.json().user.id as string, cookie, token: token as string }
}

/** Actions of a token's owner on a server. */
export function actAs(app: FastifyInstance, address: string, token: string) {
  const request = async (method: NonNullable<InjectOptions['method']>, url: string, payload?: object | FormData) => {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    const body = response.body === '' ? undefined : response.json()
    return {
      status: response.statusCode,
      code: body?.error?.code as string | undefined,
      body,
      headers: response.headers,
    }
  }
  return {
    token,
    get: (url: string) => request('GET', url),
    post: (url: string, payload: object = {}) => request('POST', url, payload),
    put: (url: string, payload: object) => request('PUT', url, payload),
    patch: (url: string, payload: object) => request('PATCH', url, payload),
    delete: (url: string) => request('DELETE', url),
    /** Sends a message and returns it. */
    say: async (channelId: string, content: string, clientId?: string) =>
      (await request('POST', '/api/messages', { channelId, content, ...(clientId && { clientId }) })).body,
    /** Uploads a file and returns the response. */
    upload: async (
      channelId: string | undefined,
      name: string,
      bytes: string | Uint8Array<ArrayBuffer> = name,
      forMessage = false,
    ) => {
      const form = formOf({ ...(channelId && { channelId }), ...(forMessage && { forMessage: 'true' }) })
      form.append('file', new Blob([bytes]), name)
      return request('POST', '/api/files/upload', form)
    },
    listen: () => listen(address, token),
  }
}

/** The fields as a form; a blob becomes its file. */
export function formOf(fields: unknown) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {}))
    if (value instanceof Blob) form.append(name, value, 'file.txt')
    else form.append(name, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return form
}

export type Listener = Awaited<ReturnType<typeof listen>>

/** A socket that records its events. @param reconnects even after the server ended the connection, like a browser */
export async function listen(address: string, token: string, reconnects = false) {
  const socket: Socket = connect(address, {
    auth: { token },
    reconnection: reconnects,
    reconnectionDelay: 20,
    forceNew: true,
    transports: ['websocket'],
  })
  const events: { event: ServerEvent; payload: unknown }[] = []
  socket.onAny((event, payload) => events.push({ event, payload }))
  atEnd(() => void socket.close())
  let end = ''
  socket.on('disconnect', (reason) => {
    end = `; then the socket closed: ${reason}`
  })

  const all = <E extends ServerEvent>(event: E) =>
    events.filter((it) => it.event === event).map(({ payload }) => payload as Payload<E>)
  /** Waits for a matching event, which may already have been received, and returns its payload. */
  async function waitFor<E extends ServerEvent>(
    event: E,
    matches: (payload: Payload<E>) => boolean = () => true,
    ms = STATE_TIMEOUT_MS,
  ) {
    for (const until = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
      const found = all(event).find(matches)
      if (found) return found
      if (Date.now() > until) throw new Error(`${event} did not come, only ${JSON.stringify(events)}${end}`)
    }
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('connect_error', reject)
    if (!reconnects)
      socket.once('disconnect', (reason) => reject(new Error(`disconnected before it was ready: ${reason}`)))
    socket.once('ready', () => resolve())
  })
  return { socket, events, all, waitFor }
}
