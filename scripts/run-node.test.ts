import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { atEnd } from '../server/test/support/cleanup.ts'
import { root } from './run-node.mjs'

const PROGRAM = `
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(signal.length))
  setInterval(() => {}, 1000)
  console.log('up')`
const LAUNCHER = `
  import { run } from './scripts/run-node.mjs'
  process.exitCode = await run(['-e', ${JSON.stringify(PROGRAM)}])`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a launcher that alone gets %s stops its program',
  async (signal) => {
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', LAUNCHER], { cwd: root })
    atEnd(() => launcher.kill('SIGKILL'))
    await once(launcher.stdout, 'data')
    launcher.kill(signal)
    expect(await once(launcher, 'exit')).toEqual([signal.length, null])
  },
)
