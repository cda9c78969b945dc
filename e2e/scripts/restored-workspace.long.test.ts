import { beforeAll, expect, test, vi } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import { loadMessages } from '../../scripts/seed/load.ts'
import { newFolder, run } from '../../server/test/support/backup-commands.ts'
import { rows } from '../../server/test/support/expected-access.ts'
import { type Conversation, createConversation, createPeople, type People } from '../../server/test/support/fixture.ts'
import { newDatabase } from '../../server/test/support/new-database.ts'
import { formOf, type Person, serve } from '../../server/test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'

// A workspace of 100,000 messages with everything in it is backed up while people send, restored elsewhere, and compared call
// by call as each person, page by page, and file by file.

const all: Record<string, AnyEndpoint> = Object.assign({}, ...Object.values(calls))
const MESSAGES = 100_000
const CHANNELS = 4
const PAGE = 100
const WAIT = { timeout: STATE_TIMEOUT_MS, interval: 5 }
/** Calls that would take somebody's access away, or start work that goes on by itself. */
const NOT_MADE = [
  ...['answerHandover', 'changePassword', 'deactivateUser', 'deleteAccount', 'demandSecondFactor', 'leaveChannel'],
  ...['removeMember', 'createExport', 'setRetention', 'turnOnTwoFactor', 'fillDemo', 'uploadImport', 'changeRole'],
]

type App = People['app']

let people: People
let persons: [string, Person | undefined][]
const worlds: Conversation[] = []
const large: string[] = []
/** Where people write during the backup. */
let talk: string
let restored: App

async function ask(
  app: App,
  person: Person | undefined,
  url: string,
  method: 'GET' | 'POST' = 'GET',
  payload?: object,
) {
  const headers = person ? { authorization: `Bearer ${person.token}` } : {}
  return app.inject({ method, url, headers, ...(payload && { payload }) })
}

function requestOf(call: AnyEndpoint, name: string, world: Conversation) {
  const { params = {}, query = {}, body } = (rows[name] as (typeof rows)[string]).input(world, people)
  const path = call.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  return { url: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path, body }
}

/** Makes every call that writes, as three people, each in a conversation of its own. Some are refused. */
async function writeEverything() {
  const { root, ada, bob } = people
  let written = 0
  for (const [name, row] of Object.entries(rows)) {
    const call = all[name.split(' ')[0] as string] as AnyEndpoint
    if (!['POST', 'PUT', 'PATCH'].includes(call.method) || NOT_MADE.includes(name.split(' ')[0] as string)) continue
    const kind = (['private', 'public', 'direct'] as const).find((it) => row[it]) ?? 'public'
    const world = await createConversation(people, kind)
    worlds.push(world)
    for (const person of [root, ada, bob]) {
      const { url, body } = requestOf(call, name, world)
      const payload = body === undefined ? {} : call.takes ? formOf(body) : (body as object)
      const { statusCode } = await people.app.inject({
        ...{ method: call.method, url, payload, headers: { authorization: `Bearer ${person.token}` } },
      })
      if (statusCode < 300) written++
    }
  }
  return written
}

async function loadHistory() {
  const { app, ada, bob, zed, gil } = people
  const authors = [ada.id, bob.id, zed.id]
  for (let n = 0; n < CHANNELS; n++) {
    const { body } = await ada.post('/api/channels', { name: `history-${n}`, members: [bob.id, zed.id, gil.id] })
    large.push(body.id)
    const lines = Array.from({ length: MESSAGES / CHANNELS }, (_, i) => ({
      userId: authors[i % authors.length] as string,
      content: `${i} of ${n}: "quoted"\tand \\backslashes\\, Grüße 🍲 ${'x'.repeat(i % 300)}`,
      at: Date.UTC(2026, 0, 1) + i * 60_000,
    }))
    expect(await loadMessages(app.pool, body.id, lines)).toBe(lines.length)
  }
}

/** People write, edit, react, delete and upload until it is stopped. */
function startTalking(persons: Person[]) {
  let isOver = false
  const acknowledged: string[] = []
  const speak = async (person: Person) => {
    for (let i = 0; !isOver; i++) {
      const { id } = await person.say(talk, `meanwhile ${i}`)
      acknowledged.push(id)
      if (i % 3 === 0) await person.put(`/api/messages/${id}`, { content: `meanwhile ${i}, edited` })
      if (i % 5 === 0) await person.post(`/api/messages/${id}/reactions`, { emoji: '👍' })
      if (i % 7 === 0) await person.delete(`/api/messages/${id}`)
      if (i % 20 === 0) await person.upload(talk, `meanwhile-${i}.txt`)
    }
  }
  const speaking = Promise.all([...persons, ...persons].map(speak))
  return {
    /** The ids of their messages so far. */
    acknowledged: () => [...acknowledged],
    stop: () => {
      isOver = true
      return speaking
    },
  }
}

/** Acknowledged before the backup began, and after it ended. */
let early: string[]
let late: Set<string>

beforeAll(async () => {
  people = await createPeople()
  const { ada, bob, cyd, dan, eve, zed, gus, gil, gem, root } = people
  persons = Object.entries({ ada, bob, cyd, dan, eve, zed, gil, gem, root, nobody: undefined })
  for (const kind of ['private', 'public', 'direct'] as const) worlds.push(await createConversation(people, kind))
  expect(await writeEverything()).toBeGreaterThan(80)
  await loadHistory()
  const tim = await people.person('tim')
  talk = (await gus.post('/api/channels', { name: 'talk', isPrivate: true, members: [tim.id] })).body.id

  const from = { DATABASE_URL: people.databaseUrl, DATA_DIR: people.app.config.dataDir, BACKUP_TO: await newFolder() }
  const talking = startTalking([gus, tim])
  await vi.waitUntil(() => talking.acknowledged().length > 50, WAIT)
  early = talking.acknowledged()
  expect(await run('backup', from)).toMatchObject({ isDone: true })
  const known = new Set(talking.acknowledged())
  await vi.waitUntil(() => talking.acknowledged().length > known.size + 20, WAIT)
  await talking.stop()
  late = new Set(talking.acknowledged().filter((id) => !known.has(id)))
  expect(await run('verify-backup', from)).toMatchObject({ isDone: true })

  const to = { ...from, DATABASE_URL: await newDatabase(), DATA_DIR: await newFolder() }
  const { isDone, text } = await run('restore', to)
  expect(text).toMatch(/Restored .* 1\d\d,\d{3} messages/)
  expect(isDone).toBe(true)
  restored = (await serve(to.DATABASE_URL, to)).app
}, 600_000)

/** What may differ: when something was used last, and what only one of the two servers did. */
function comparable(name: string, text: string) {
  // A restore starts a new epoch.
  if (name === 'listChannels') return text.replace(/"epoch":"[^"]*"/, '')
  // In no particular order.
  if (name === 'compareChannels') return JSON.stringify(text.split('"').sort())
  if (name === 'listSessions') return text.replace(/"lastUsedAt":"[^"]*"/g, '')
  if (name === 'listStorage') return text.replace(/"hidden":.*/, '')
  if (name === 'downloadAudit')
    return text.replace(/^\d+,[^,]*,(backup_made|backup_restored|audit_downloaded),[^\n]*\n/gm, '')
  if (name !== 'listAudit' || !text.startsWith('{"entries"')) return text
  const { entries, ...others } = JSON.parse(text)
  const isShared = ({ kind }: { kind: string }) => !/^(backup_|audit_downloaded)/.test(kind)
  return JSON.stringify({ ...others, entries: entries.filter(isShared) })
}

/** About the server and its settings. */
const OF_THE_SERVER = ['getHealth', 'listSettings']
/** Their rows name nothing that is there; the last tests compare groups, avatars and emoji. */
const HAVE_NOTHING = ['downloadExport', 'getGroup', 'downloadAvatar', 'downloadEmoji', 'readUndoLosses']
const POSTS_THAT_READ = ['compareChannels', 'previewRetention']
const isRead = (name: string) => {
  const [base = ''] = name.split(' ')
  return (all[base]?.method === 'GET' && !OF_THE_SERVER.includes(base)) || POSTS_THAT_READ.includes(base)
}

test.each(Object.keys(rows).filter(isRead))('%s has the same answer', async (name) => {
  let answered = 0
  const call = all[name.split(' ')[0] as string] as AnyEndpoint
  const asked = new Set<string>()
  for (const world of call.path.includes('search') ? worlds.slice(0, 5) : worlds)
    for (const [who, person] of persons) {
      const { url, body } = requestOf(call, name, world)
      const request = `${who} ${url} ${JSON.stringify(body)}`
      if (asked.has(request)) continue
      asked.add(request)
      const [before, after] = await Promise.all(
        [people.app, restored].map(async (app) => {
          const answer = await ask(app, person, url, call.method as 'GET' | 'POST', body as object)
          return `${answer.statusCode} ${comparable(name, answer.body)}`
        }),
      )
      expect(after, request).toBe(before)
      if (before?.startsWith('2')) answered++
    }
  if (!HAVE_NOTHING.includes(name)) expect(answered).toBeGreaterThan(0)
})

test('the whole history is the same, page by page', async () => {
  for (const id of large) {
    let count = 0
    for (let after = 0; ; after += PAGE) {
      const url = `/api/messages/channel/${id}?limit=${PAGE}&after=${after}`
      const [before, now] = await Promise.all([people.app, restored].map((app) => ask(app, people.bob, url)))
      expect(now?.statusCode).toBe(200)
      expect(now?.body).toBe(before?.body)
      const { length } = now?.json() ?? []
      count += length
      if (length < PAGE) break
    }
    expect(count).toBe(MESSAGES / CHANNELS)
  }
})

test('every file is the same, byte by byte', async () => {
  const files = await people.app.db.selectFrom('files').select(['id', 'name']).where('state', '=', 'ready').execute()
  expect(files.length).toBeGreaterThan(100)
  let read = 0
  for (const { id, name } of files)
    for (const [who, person] of persons) {
      const url = `/api/files/${id}/${encodeURIComponent(name)}`
      const [before, after] = await Promise.all([people.app, restored].map((app) => ask(app, person, url)))
      if (before?.statusCode === 200) read++
      expect([after?.statusCode, after?.rawPayload], `${who} ${name}`).toEqual([before?.statusCode, before?.rawPayload])
    }
  expect(read).toBeGreaterThan(files.length)
})

test('every group, avatar and emoji is the same', async () => {
  const groups = (await ask(people.app, people.bob, '/api/groups')).json()
  const { rows: users } = await people.app.pool.query('select image from users where image is not null')
  const emoji = (await ask(people.app, people.bob, '/api/emoji')).json()
  expect([groups.length, users.length, emoji.length].every(Boolean)).toBe(true)
  for (const url of [
    ...groups.map(({ id }: { id: string }) => `/api/groups/${id}`),
    ...users.map(({ image }) => image),
    ...emoji.flatMap(({ url, stillUrl }: { url: string; stillUrl: string }) => [url, stillUrl]),
  ]) {
    const [before, after] = await Promise.all([people.app, restored].map((app) => ask(app, people.bob, url)))
    expect([after?.statusCode, after?.rawPayload], url).toEqual([200, before?.rawPayload])
  }
})

test('what was said during the backup is there up to one moment, and nothing after it', async () => {
  const url = `/api/messages/channel/${talk}?limit=${PAGE}`
  const found: { id: string; seq: number; rev: number; content: string }[] = []
  for (let after = 0; ; after += PAGE) {
    const page = (await ask(restored, people.gus, `${url}&after=${after}`)).json()
    found.push(...page)
    if (page.length < PAGE) break
  }
  expect(found.map(({ seq }) => seq)).toEqual(found.map((_, i) => i + 1))
  const ids = new Set(found.map(({ id }) => id))
  expect(early.filter((id) => !ids.has(id))).toEqual([])
  expect([...late].filter((id) => ids.has(id))).toEqual([])
  const { rev, seq } = (await ask(restored, people.gus, `/api/channels/${talk}`)).json()
  expect(seq).toBe(found.length)
  expect(Math.max(...found.map((it) => it.rev))).toBeLessThanOrEqual(rev)
})

test('people sign in to the restored workspace, and write in it', async () => {
  const { email, password } = people.bob
  const payload = { email, password }
  const signedIn = await restored.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload })
  expect(signedIn.statusCode, signedIn.body).toBe(200)
  const [channelId = ''] = large
  const said = await ask(restored, people.bob, '/api/messages', 'POST', { channelId, content: 'After the restore' })
  expect(said.statusCode).toBe(201)
  expect(said.json().seq).toBe(MESSAGES / CHANNELS + 1)
  const found = (await ask(restored, people.bob, '/api/search?q=restore')).json()
  expect(JSON.stringify(found)).toContain(said.json().id)
})
