import { expect, test } from 'vitest'
import { serve, startParley } from '../test/support/parley.ts'

/** Sends polling requests with a connection id that the node doesn't know, and returns its warnings. */
async function warningsOf(address: string, lines: string[]) {
  const poll = () => fetch(`${address}/socket.io/?EIO=4&transport=polling&sid=of-another-node`)
  const answers = await Promise.all(Array.from({ length: 50 }, poll))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  return lines.filter((line) => line.includes('sticky sessions')).length
}

test('a load balancer without sticky sessions is reported once if there are several nodes', async () => {
  const lines: string[] = []
  const one = await startParley({ LOG_LEVEL: 'warn' }, { write: (line) => void lines.push(line) })
  expect(await warningsOf(one.address, lines)).toBe(0)
  await serve(one.databaseUrl)
  await expect.poll(() => one.app.bus.peers().length).toBe(1)
  expect(await warningsOf(one.address, lines)).toBe(1)
})
