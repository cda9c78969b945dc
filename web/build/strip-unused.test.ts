import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin, type Rollup } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contractForBrowsers, withoutFrameworkMode, withoutUnusedMarkdown } from './strip-unused.ts'

// What these plugins leave out lies in other people's libraries: these tests fail when a new version of one moved it.

// Libraries have other files for development.
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'))
afterAll(() => void vi.unstubAllEnvs())

const root = join(import.meta.dirname, '../..')

/** The code that a browser would load for an entry that imports these, before it is minified. */
async function bundle(code: string, plugins: Plugin[]) {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? join(root, 'web/entry.ts') : undefined),
    load: (id) => (id.endsWith('web/entry.ts') ? code : undefined),
  }
  const { output } = (await build({
    root: join(root, 'web'),
    configFile: false,
    logLevel: 'error',
    plugins: [entry, ...plugins],
    build: { write: false, minify: false, modulePreload: false, rolldownOptions: { input: 'entry' } },
  })) as Rollup.RollupOutput
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
}

test('a browser loads the method and path of a call, and no schema', async () => {
  const code = "import { listUsers } from '#contract/users'\nwindow.name = listUsers.method + listUsers.path"
  const whole = await bundle(code, [])
  const lean = await bundle(code, [contractForBrowsers()])
  expect(whole).toContain('_zod')
  expect(lean).not.toContain('_zod')
  expect(lean).toMatch(/method: ["']GET["']/)
  expect(lean).toMatch(/path: ["']\/api\/users["']/)
})

test('of the constructs of markdown that are switched off only the names are left', async () => {
  const code =
    "import { fromMarkdown } from 'mdast-util-from-markdown'\nwindow.name = JSON.stringify(fromMarkdown('a'))"
  const lean = await bundle(code, [withoutUnusedMarkdown()])
  for (const name of ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'])
    expect(lean).toMatch(new RegExp(`(const|var) ${name} = \\{ name: ["']${name}["'] \\}`))
})

test('React Router has the part of its framework mode that is left out', async () => {
  const { handler } = withoutFrameworkMode().transform as { handler: (code: string) => { code: string } }
  const path = 'node_modules/react-router/dist/production/lib/dom/ssr/components.js'
  expect(handler(await readFile(join(root, path), 'utf8')).code).toContain('const PrefetchPageLinks = () => null')
})
