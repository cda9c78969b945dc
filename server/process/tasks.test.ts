import { expect, test } from 'vitest'
import { startTask } from './tasks.ts'

test('stopping a task waits for its current run, and it does not run again', async () => {
  const done: string[] = []
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const stop = startTask(0, async () => {
    begin()
    await held
    done.push('run')
    return 0
  })
  await began
  const stopped = stop().then(() => done.push('stopped'))
  letGo()
  await stopped
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(done).toEqual(['run', 'stopped'])
})
