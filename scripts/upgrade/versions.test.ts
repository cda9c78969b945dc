import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../../server/test/support/cleanup.ts'
import { activeRoot, decline, FIRST, findNext, homeOf, keep, readVersions, rootOf, writeVersions } from './versions.mjs'

async function openHome(...names: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'parley-versions-'))
  atEnd(() => rmSync(home, { recursive: true }))
  for (const name of [FIRST, ...names]) {
    await mkdir(join(home, 'versions', name), { recursive: true })
    await writeFile(join(home, 'versions', name, 'package.json'), '{"version":"1.0.0"}')
  }
  return home
}

const named = { next: '2.0.0', namedAt: '2026-11-29T05:00:00.000Z' }

test('a version that is kept remembers the one before, also if both the launcher and the command record it', async () => {
  const home = await openHome('2.0.0')
  expect(readVersions(home)).toEqual({ current: FIRST })
  writeVersions(home, { current: FIRST, ...named })
  keep(home, '2.0.0')
  keep(home, '2.0.0')
  expect(readVersions(home)).toEqual({ current: '2.0.0', previous: FIRST })
})

test('a version that is given up leaves what was, also if it was taken for good already', async () => {
  const home = await openHome('1.5.0', '2.0.0')
  writeVersions(home, { current: '1.5.0', previous: FIRST, ...named })
  decline(home, '2.0.0', '1.5.0')
  decline(home, '2.0.0', '1.5.0')
  expect(readVersions(home)).toEqual({ current: '1.5.0', previous: FIRST })

  writeVersions(home, { current: '1.5.0', ...named })
  keep(home, '2.0.0')
  decline(home, '2.0.0', '1.5.0')
  expect(readVersions(home)).toEqual({ current: '1.5.0' })
})

test('a version that was named meanwhile stays named', async () => {
  const home = await openHome('2.0.0', '3.0.0')
  const later = { next: '3.0.0', namedAt: '2026-11-29T06:00:00.000Z', since: named.namedAt }
  writeVersions(home, { current: FIRST, ...later })
  decline(home, '2.0.0', FIRST)
  expect(findNext(home)).toEqual(later)
  keep(home, '2.0.0')
  expect(readVersions(home)).toEqual({ current: '2.0.0', previous: FIRST, ...later })
})

test('a version that was removed is neither used nor tried', async () => {
  const home = await openHome()
  writeVersions(home, { current: '1.5.0', ...named })
  expect([activeRoot(home), findNext(home)]).toEqual([home, undefined])
})

test('each version knows its home', async () => {
  const home = await openHome('2.0.0', '3.0.0/node_modules/@parley/chat')
  writeVersions(home, { current: '2.0.0' })
  for (const name of [FIRST, '2.0.0', '3.0.0']) expect(homeOf(rootOf(home, name))).toBe(home)
})
