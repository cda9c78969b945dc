import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildServiceWorker } from './build-service-worker.ts'

const out = await mkdtemp(join(tmpdir(), 'parley-service-worker-'))
afterAll(() => rm(out, { recursive: true, force: true }))

const page = (entry: string) => `<script type="module" crossorigin src="/assets/${entry}.js"></script>`
const files = ['assets/app-1.js', 'assets/page-1.css', 'assets/texts-de-rest-1.js', 'assets/texts-en-XA-rest-1.js']

async function build(names: string[], html: string) {
  expect(await buildServiceWorker(out, names, html)).toEqual(['service-worker.js'])
  return readFile(join(out, 'service-worker.js'), 'utf8')
}

const shellName = (code: string) => /\b[0-9a-f]{16}\b/.exec(code)?.[0]

test('the service worker lists the scripts, styles and icons of its build, but no texts of the pseudo-language', async () => {
  const code = await build([...files, 'assets/inter-1.woff2'], page('app-1'))
  for (const path of ['/assets/app-1.js', '/assets/page-1.css', '/assets/texts-de-rest-1.js', '/assets/inter-1.woff2'])
    expect(code).toContain(path)
  expect(code).toContain('/icon.svg')
  expect(code).not.toContain('en-XA')
  expect(code).not.toContain('__FILES')
})

test('another page, or other files, are another build, whatever the order', async () => {
  const name = shellName(await build(files, page('app-1')))
  expect(name).toBeDefined()
  expect(shellName(await build(files.toReversed(), page('app-1')))).toBe(name)
  expect(shellName(await build(files, page('app-2')))).not.toBe(name)
  expect(shellName(await build([...files, 'assets/late-1.js'], page('app-1')))).not.toBe(name)
})

test('a page without a script is refused', async () => {
  await expect(buildServiceWorker(out, files, '<p>Nothing</p>')).rejects.toThrow('The page loads no script')
})
