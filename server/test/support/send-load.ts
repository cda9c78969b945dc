import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import type { ApiClient } from './server-process.ts'

/** The acknowledged messages and edits, for comparison with the database. */
interface SendRecord {
  /** `author key` → the acknowledged message. */
  acknowledged: Map<string, { id: string; channelId: string }>
  /** message → its possible texts: the last acknowledged one, or a later unacknowledged one. */
  texts: Map<string, string[]>
  /** Responses that are neither a success nor a 503 with Retry-After. */
  unexpected: unknown[]
}

const LOOPS = 4
let runs = 0

/**
 * Makes people send about 200 messages per second and edit some of them. Like the browser, they repeat a key after a 503 or no
 * response until it is acknowledged. `stop` resolves when all keys are.
 */
export function startSenders(people: ApiClient[], channels: string[], perSecond = 200) {
  const record: SendRecord = { acknowledged: new Map(), texts: new Map(), unexpected: [] }
  const run = runs++
  const pause = (1000 * LOOPS * people.length) / perSecond
  let stopping = false
  let refused = 0
  const unanswered: string[] = []

  /** Undefined if the outcome is unknown. */
  async function attempt(person: ApiClient, method: string, path: string, payload: object) {
    const answer = await person.call(method, path, payload).catch((error) => {
      unanswered.push(reasonOf(error))
      return undefined
    })
    if (answer && answer.status < 300) return answer
    if (answer && !(answer.status === 503 && answer.retryAfter)) record.unexpected.push({ method, ...answer })
    refused++
    return undefined
  }

  async function send(person: ApiClient, key: string, channelId: string) {
    for (let tries = 0; tries < 600; tries++) {
      const answer = await attempt(person, 'POST', '/api/messages', { channelId, content: key, clientId: key })
      if (answer) {
        record.acknowledged.set(`${person.id} ${key}`, { id: answer.body.id, channelId })
        record.texts.set(answer.body.id, [key])
        return answer.body.id as string
      }
      await sleep(100)
    }
    throw new Error(`${key} was never acknowledged`)
  }

  async function edit(person: ApiClient, id: string, content: string) {
    record.texts.get(id)?.push(content)
    if (await attempt(person, 'PUT', `/api/messages/${id}`, { content })) record.texts.set(id, [content])
  }

  async function speak(person: ApiClient, loop: number) {
    for (let n = 0; !stopping; n++) {
      const key = `${run}-${person.username}-${loop}-${n}`
      const id = await send(person, key, channels[(n + loop) % channels.length] as string)
      if (n % 5 === 0) await edit(person, id, `${key} edited`)
      await sleep(pause)
    }
  }

  const loops = people.flatMap((person) => Array.from({ length: LOOPS }, (_, loop) => speak(person, loop)))
  const ended = Promise.all(loops)
  // `stop` reports the error, even if called later.
  ended.catch(() => {})
  return {
    record,
    refused: () => refused,
    /** Why requests got no response: their connection ended, or it took too long. */
    unanswered: () => unanswered,
    stop: () => {
      stopping = true
      return ended
    },
  }
}

const reasonOf = ({ name, message, cause }: Error) => (cause instanceof Error ? cause.message : `${name}: ${message}`)

/** Waits until some more messages are acknowledged. */
export async function untilSent({ record: { acknowledged } }: ReturnType<typeof startSenders>, count = 20) {
  const enough = acknowledged.size + count
  await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThanOrEqual(enough)
}

/** Compares the database with the acknowledged messages; returns `noFaults` if they agree. */
export async function audit(databaseUrl: string, { acknowledged, texts, unexpected }: SendRecord) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: messages } = await client.query(
      'select id, "channelId", "userId", "clientId", content, seq::int, rev::int from messages order by "channelId", seq',
    )
    const { rows: channels } = await client.query('select id, name, seq::int, rev::int from channels')
    const byKey = Map.groupBy(messages, ({ userId, clientId }) => `${userId} ${clientId}`)
    const byChannel = Map.groupBy(messages, ({ channelId }) => channelId)
    const byId = new Map(messages.map((it) => [it.id, it]))
    return {
      unexpected,
      lost: [...acknowledged].filter(([key, { id }]) => !byKey.get(key)?.some((it) => it.id === id)),
      misplaced: [...acknowledged].filter(
        ([, { id, channelId }]) => byId.has(id) && byId.get(id).channelId !== channelId,
      ),
      duplicated: [...byKey].filter(([key, rows]) => !key.endsWith(' null') && rows.length > 1).map(([key]) => key),
      unedited: [...texts].filter(([id, may]) => byId.has(id) && !may.includes(byId.get(id).content)),
      misnumbered: channels
        .filter(({ id, seq, rev }) => {
          const rows = byChannel.get(id) ?? []
          const revs = new Set(rows.map((it) => it.rev))
          const isGapless = rows.every((row, i) => row.seq === i + 1) && seq === rows.length
          return !isGapless || revs.size !== rows.length || Math.max(0, ...revs) > rev
        })
        .map(({ name }) => name),
    }
  } finally {
    await client.end()
  }
}

export const noFaults = { unexpected: [], lost: [], misplaced: [], duplicated: [], unedited: [], misnumbered: [] }
