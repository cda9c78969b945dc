import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const exclude = (name: string) => /(^|\/)(node_modules|dist|\.git|test-results|data)$/.test(name)
const paths = globSync('**/*', { exclude })
const entries = new Set(paths)
const baseNames = new Set(paths.map((path) => basename(path)))
// Excludes the changelog, which names files that have moved since.
const pages = paths.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')

const ROOTS = 'bench|contract|docs|e2e|scripts|server|web'
/** Generated files. */
const GENERATED = /^(bench\/results|web\/dist)$/

it('files and folders named in the docs exist', () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)]
      .map(([, code = '']) => code.replace(/\/$/, ''))
      .filter((code) => {
        if (/NNNN|[*{<]/.test(code)) return false
        if (new RegExp(`^(${ROOTS})/[\\w./-]+$`).test(code)) return !entries.has(code) && !GENERATED.test(code)
        return /^[\w-]+(\.test|\.spec)?\.(ts|tsx|mjs)$/.test(code) && !baseNames.has(code)
      })
      .map((code) => `${page}: ${code}`),
  )
  expect(missing).toEqual([])
})

it('relative links in the docs resolve to files', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^\w+:/.test(target) && !entries.has(normalize(join(dirname(page), target))))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

it('the manual’s service keeps restarting while its database is unreachable', () => {
  const unit = readFileSync('docs/running/parley.service', 'utf8')
  const [, section = '', service = ''] = unit.split(/\[(?:Unit|Service|Install)\]\n/)
  expect(section.split('\n')).toContain('StartLimitIntervalSec=0')
  expect(service.split('\n')).toEqual(expect.arrayContaining(['Restart=on-failure', 'RestartSec=5']))
})
