import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../run-node.mjs'
import { findEarlyTexts, findLiterals } from './literals.ts'

const sources = globSync('web/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.(test|d)\.tsx?$|vite\.config|^web\/(dev|build|test)\//.test(file))
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))

it('every text of the interface comes from languages/', () => {
  expect(
    sources.flatMap(({ file, code }) => findLiterals(code, file).map(({ line, text }) => `${file}:${line} ${text}`)),
  ).toEqual([])
})

it('no module reads a text while it loads', () => {
  expect(sources.flatMap(({ file, code }) => findEarlyTexts(code, file).map((line) => `${file}:${line}`))).toEqual([])
})

it('dates, numbers, lists and sorting follow the language: only web/i18n/ formats them', () => {
  // Segmentation is the same in all languages.
  const OWN_LOCALE = /\.toLocale\w+\(|\.localeCompare\(|\bIntl\.(?!Segmenter)\w+\(/
  expect(
    sources.flatMap(({ file, code }) => (OWN_LOCALE.test(code) && !file.startsWith('web/i18n/') ? [file] : [])),
  ).toEqual([])
})

it.each([
  ['<p>Hello</p>', 'Hello'],
  ['<Button aria-label="close" />', 'close'],
  ['<Button name="Sign out" />', 'Sign out'],
  ["showToast('Message deleted')", 'Message deleted'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  ['const text = `Retry ${name}`', 'Retry …'],
  ["const labels = { save: 'Save' }", 'Save'],
])('%s is a text', (code, text) => {
  expect(findLiterals(code, 'a.tsx')).toEqual([{ line: 1, text }])
})

it.each([
  ['<p className="flex gap-2 text-ui">{name}</p>'],
  ["if (event.key === 'Enter') send()"],
  ["console.error('Something failed:', error)"],
  ["throw new Error('Nobody is signed in here')"],
  ["t('channels.create.title')"],
  ["type Side = 'Left side' | 'Right side'"],
])('%s is not', (code) => {
  expect(findLiterals(code, 'a.tsx')).toEqual([])
})

it('a text in a table of a module is read too early, in a function it is not', () => {
  expect(findEarlyTexts("const a = 1\nconst table = { save: t('ui.save') }", 'a.ts')).toEqual([2])
  expect(
    findEarlyTexts("const save = () => t('ui.save')\nfunction cancel() { return t('ui.cancel') }", 'a.ts'),
  ).toEqual([])
})
