import { expect, test } from 'vitest'
import { serve, startParley } from '../test/support/parley.ts'

const parley = await startParley()

/** Sends polling requests of connections that the node does not know, and returns its warnings. */
async function warningsOf(peers: string[]) {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const { address } = await serve(parley.databaseUrl, { LOG_LEVEL: 'warn' }, logTo, {}, () => peers)
  const poll = () => fetch(`${address}/socket.io/?EIO=4&transport=polling&sid=of-another-node`)
  const answers = await Promise.all(Array.from({ length: 50 }, poll))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  return lines.filter((line) => line.includes('sticky sessions')).length
}

test('a load balancer without sticky sessions is reported once', async () => {
  expect(await warningsOf(['another'])).toBe(1)
})

test('without other nodes nothing is reported', async () => {
  expect(await warningsOf([])).toBe(0)
})
