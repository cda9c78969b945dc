import { join } from 'node:path'
import { build, type Plugin, type Rollup } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contractForBrowsers } from './contract-for-browsers.ts'
import { leanReact } from './lean-react.ts'

// Libraries ship different files for development.
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'))
afterAll(() => void vi.unstubAllEnvs())

const root = join(import.meta.dirname, '../..')

/** The browser code of an entry with these imports, by default unminified. */
async function bundle(code: string, plugins: Plugin[], minify = false) {
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
    build: { write: false, minify, modulePreload: false, rolldownOptions: { input: 'entry' } },
  })) as Rollup.RollupOutput
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
}

test('the browser code contains the method and path of an endpoint, but no schema', async () => {
  const code = "import { listUsers } from '#contract/users'\nwindow.name = listUsers.method + listUsers.path"
  const whole = await bundle(code, [])
  const lean = await bundle(code, [contractForBrowsers()])
  expect(whole).toContain('_zod')
  expect(lean).not.toContain('_zod')
  expect(lean).toMatch(/method: ["']GET["']/)
  expect(lean).toMatch(/path: ["']\/api\/users["']/)
})

test('hydration and view transitions are removed from React DOM', async () => {
  const code = "import { createRoot } from 'react-dom/client'\nwindow.root = createRoot"
  // React DOM is one function: only the minifier drops what is unused in it.
  const [whole, lean] = [await bundle(code, [], true), await bundle(code, [leanReact()], true)]
  const has = (code: string, part: string) => code.includes(part)
  expect(has(lean, 'componentDidCatch')).toBe(true)
  for (const part of ['startViewTransition', 'modulepreload', 'rel="stylesheet"']) {
    expect(has(whole, part), part).toBe(true)
    expect(has(lean, part), part).toBe(false)
  }
})

test('an unreviewed version of React DOM is refused, and so is a build without React DOM', async () => {
  const code = "import { createRoot } from 'react-dom/client'\nwindow.root = createRoot"
  const other: Plugin = {
    name: 'another-react',
    transform: (code, id) =>
      id.endsWith('react-dom-client.production.js') ? code.replace(/(exports\.version = ")/, '$1x') : undefined,
  }
  await expect(bundle(code, [other, leanReact()])).rejects.toThrow('was read against React DOM')
  await expect(bundle('window.name = "x"', [leanReact()])).rejects.toThrow('met no react-dom')
})
