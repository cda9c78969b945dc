import { expect, test } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import { startParley } from '../test/support/parley.ts'
import { bounds, type RateName } from './bounds.ts'

/** The seconds in `Retry-After` identify the rate. */
const RETRY_AFTER_SECONDS = { reads: 10, sends: 20, writes: 30 }
type UserRate = keyof typeof RETRY_AFTER_SECONDS

/** Rejects every call. Half a second less, because seconds are rounded up. */
const exhausted = (seconds: number) => ({ perSecond: 1 / (seconds - 0.5), burst: 0 })
const rates: typeof bounds.rates = { ...bounds.rates }
for (const [name, seconds] of Object.entries(RETRY_AFTER_SECONDS)) rates[name as RateName] = exhausted(seconds)

const { app, people } = await startParley({ RATE_LIMIT: 'on' }, undefined, { rates })
const { ada } = await people('ada')

/** Calls whose rate does not follow from their method. */
const others: Record<string, UserRate> = {
  sync: 'reads',
  readLaterMessages: 'reads',
  readMessages: 'reads',
  sendMessage: 'sends',
  sendReply: 'sends',
  scheduleMessage: 'sends',
  sendScheduled: 'sends',
}
const rateOf = (name: string, method: string) => others[name] ?? (method === 'GET' ? 'reads' : 'writes')

async function rateOfCall(method: AnyEndpoint['method'] | 'HEAD', path: string) {
  const { token } = ada
  const answer = await app.inject({
    method,
    url: path.replace(/:\w+/g, 'someid'),
    headers: { authorization: `Bearer ${token}` },
  })
  const seconds = answer.statusCode === 429 ? Number(answer.headers['retry-after']) : undefined
  return Object.entries(RETRY_AFTER_SECONDS).find(([, each]) => each === seconds)?.[0] ?? answer.statusCode
}

test('each call consumes one rate of its user: sends, reads or writes', async () => {
  const all = Object.values(calls).flatMap((noun) => Object.entries<AnyEndpoint>(noun))
  expect(Object.keys(others).filter((name) => !all.some(([each]) => each === name))).toEqual([])
  for (const [name, { method, path }] of all) {
    expect({ name, rate: await rateOfCall(method, path) }).toEqual({ name, rate: rateOf(name, method) })
    if (method === 'GET') expect({ name, rate: await rateOfCall('HEAD', path) }).toEqual({ name, rate: 'reads' })
  }
})
