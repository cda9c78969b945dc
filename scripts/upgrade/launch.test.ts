import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { isLong, longTest } from '../../server/test/support/long.ts'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { openInstallation } from './test/small-versions.ts'
import { FIRST } from './versions.mjs'

const READY_SECONDS = 60

test.concurrent('a server changes to the next version when it is named, and stays the same process for whoever started it', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'works')
  const running = parley.start()
  await running.says(`1.0.0 is ready, process ${running.pid}`)
  parley.write({ current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS })
  await running.says('2.0.0 is ready')
  await running.says('Upgraded Parley from 1.0.0 to 2.0.0; migrations: 0001-first, 0002-second.')
  expect(running.output()).toContain(`2.0.0 is ready, process `)
  expect(running.output()).toContain(`, parent ${running.pid}`)
  expect(parley.record()).toEqual({ current: '2.0.0', previous: FIRST })
  expect(await running.stop()).toBe(0)
  expect(running.output()).toContain('2.0.0 stops')

  const again = parley.start()
  await again.says('2.0.0 is ready')
  expect(await again.stop()).toBe(0)
  expect(again.output()).not.toContain('Upgrading')
})

const FAILURES = [
  ['crashes', READY_SECONDS, 'Parley 2.0.0 stopped with code 3 at its start'],
  ['crashesAfterwards', READY_SECONDS, 'Parley 2.0.0 stopped with code 4 at its start'],
  ['hangs', 1, 'Parley 2.0.0 was not ready within 1 seconds'],
] as const
test.concurrent.each(isLong ? FAILURES : FAILURES.slice(0, 1))(
  'if the next version %s, the one before runs again',
  async (kind, readySeconds, problem) => {
    const parley = await openInstallation()
    await parley.add('2.0.0', kind)
    const running = parley.start()
    await running.says('1.0.0 is ready')
    parley.write({ current: FIRST, next: '2.0.0', readySeconds })
    await running.says(
      `${problem}. Going back to 1.0.0.\nmends the database for 1.0.0\n1.0.0 is ready, process ${running.pid}`,
    )
    await running.says(`knows: ${problem}`)
    expect(parley.record()).toEqual({ current: FIRST })

    // Named again, it is tried again.
    parley.write({ current: FIRST, next: '2.0.0', readySeconds })
    await vi.waitFor(() => expect(running.output().split(problem)).toHaveLength(5), { timeout: STATE_TIMEOUT_MS })
    expect(await running.stop()).toBe(0)
  },
)

longTest.concurrent('an upgraded version changes to another one', async () => {
  const parley = await openInstallation()
  for (const name of ['2.0.0', '3.0.0', '4.0.0']) await parley.add(name, 'works')
  const running = parley.start()
  await running.says('1.0.0 is ready')
  let current = FIRST
  for (const next of ['2.0.0', '3.0.0', '4.0.0']) {
    parley.write({ current, next, readySeconds: READY_SECONDS })
    await running.says(`to ${next}; migrations`)
    // No more than one process waits.
    expect(running.output()).toMatch(new RegExp(`${next} is ready, process \\d+, parent ${running.pid}\n`))
    current = next
  }
  expect(parley.record()).toEqual({ current: '4.0.0', previous: '3.0.0' })
  expect(await running.stop()).toBe(0)
})

longTest.concurrent('a stop while the next version starts is no failure of that version', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'hangs')
  parley.write({ current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS })
  const running = parley.start()
  await running.says('2.0.0 hangs')
  expect(await running.stop()).toBe(0)
  expect(running.output()).not.toContain('Going back')
  expect(parley.record()).toMatchObject({ next: '2.0.0' })
})

longTest.concurrent('a stop while the one before gets ready again is made up for by the next start', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'crashes')
  const named = { current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS }
  parley.write(named)
  await writeFile(join(parley.home, 'slow'), '')
  const first = parley.start()
  await first.says('mends the database for 1.0.0')
  expect(await first.stop()).toBe(1)
  expect(first.output()).not.toContain('1.0.0 is ready')
  expect(parley.record()).toMatchObject(named)

  await rm(join(parley.home, 'slow'))
  const second = parley.start()
  await second.says('2.0.0 crashes')
  await second.says('mends the database for 1.0.0\n1.0.0 is ready')
  expect(parley.record()).toEqual({ current: FIRST })
  await second.stop()
})

longTest.concurrent('a version that is named while another one starts follows it', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'isSlow')
  await parley.add('3.0.0', 'works')
  parley.write({ current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS })
  const running = parley.start()
  await running.says('2.0.0 starts')
  parley.write({ current: FIRST, next: '3.0.0', readySeconds: READY_SECONDS })
  await running.says('Upgraded Parley from 1.0.0 to 2.0.0')
  await running.says('Upgraded Parley from 2.0.0 to 3.0.0')
  expect(parley.record()).toEqual({ current: '3.0.0', previous: '2.0.0' })
  expect(await running.stop()).toBe(0)
})

longTest.concurrent('a server that runs does so while the record is damaged', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'works')
  const running = parley.start()
  await running.says('1.0.0 is ready')
  for (const damaged of ['{"curr', 'null', '{"next":7}']) {
    await mkdir(join(parley.home, 'versions'), { recursive: true })
    await writeFile(join(parley.home, 'versions/versions.json'), damaged)
    await sleep(1100)
  }
  parley.write({ current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS })
  await running.says('Upgraded Parley from 1.0.0 to 2.0.0')
  await running.stop()
})

longTest('a stop ends a version that ignores it', async () => {
  const parley = await openInstallation()
  await parley.add('2.0.0', 'ignoresAll')
  parley.write({ current: FIRST, next: '2.0.0', readySeconds: 600 })
  const running = parley.start()
  await running.says('2.0.0 hangs')
  expect(await running.stop()).toBe(1)
  expect(running.output()).toContain('2.0.0 ignores that')
  expect(running.output()).not.toContain('1.0.0 is ready')
})

longTest.concurrent(
  'a server that can’t write to the installation goes back, and doesn’t try the version again',
  async () => {
    const parley = await openInstallation()
    await parley.add('2.0.0', 'crashes')
    const running = parley.start()
    await running.says('1.0.0 is ready')
    // In place of the file that replaces the record.
    const obstacle = join(parley.home, `versions/versions.json.new-${running.pid}`)
    await mkdir(obstacle, { recursive: true })
    parley.write({ current: FIRST, next: '2.0.0', readySeconds: READY_SECONDS })
    await running.says('mends the database for 1.0.0\n1.0.0 is ready')
    expect(parley.record()).toMatchObject({ next: '2.0.0' })

    await rm(obstacle, { recursive: true })
    await parley.add('3.0.0', 'works')
    parley.write({ current: FIRST, next: '3.0.0', readySeconds: READY_SECONDS })
    await running.says('Upgraded Parley from 1.0.0 to 3.0.0')
    expect(running.output().split('2.0.0 crashes')).toHaveLength(2)
  },
)

test.concurrent('starts the first version if the current one is missing, or the record is damaged', async () => {
  const parley = await openInstallation()
  parley.write({ current: '2.0.0', previous: FIRST })
  const first = parley.start()
  await first.says('1.0.0 is ready')
  expect(first.output()).toMatch(/^Version 2\.0\.0 of Parley is missing in .*versions: using 1\.0\.0\.\n/)
  await first.stop()

  await writeFile(join(parley.home, 'versions/versions.json'), '')
  const second = parley.start()
  await second.says('1.0.0 is ready')
  expect(second.output()).toMatch(/^.*versions\.json is damaged \(.*\): using 1\.0\.0\.\n/)
  await second.stop()
})
