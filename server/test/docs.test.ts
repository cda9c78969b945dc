import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from '../config/config.ts'

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

it('relative links and pictures in the docs resolve to files', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/(?:\]\(|src="|srcset=")([^)"#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^\w+:/.test(target) && !entries.has(normalize(join(dirname(page), target))))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

it('links to a section in the docs lead to one', () => {
  const anchorsIn = (page: string) =>
    [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
      .filter(([, target = '']) => !/^\w+:/.test(target))
      .filter(([, target = '', anchor = '']) => {
        const section = target === '' ? page : normalize(join(dirname(page), target))
        return !anchorsIn(section).includes(anchor)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

it('the manual’s service keeps restarting while its database is unreachable', () => {
  const unit = readFileSync('docs/running/parley.service', 'utf8')
  const [, section = '', service = ''] = unit.split(/\[(?:Unit|Service|Install)\]\n/)
  expect(section.split('\n')).toContain('StartLimitIntervalSec=0')
  expect(service.split('\n')).toEqual(expect.arrayContaining(['Restart=on-failure', 'RestartSec=5']))
})

it('the manual describes each setting', () => {
  const manual = readFileSync('docs/running/configuration.md', 'utf8')
  const isDescribed = (name: string) => manual.includes(`\`${name}\``)
  expect(SETTING_NAMES.filter((name) => !isDescribed(name))).toEqual([])
})

it('the README has each of its pictures in both themes', () => {
  const pictures = globSync('docs/images/*.webp').map((path) => path.replaceAll('\\', '/'))
  const readme = readFileSync('README.md', 'utf8')
  const shown = new Set([...readme.matchAll(/docs\/images\/[\w-]+\.webp/g)].map(([path]) => path))
  expect([...shown].toSorted()).toEqual(pictures.toSorted())
  for (const path of shown)
    expect(shown).toContain(path.replace(/light|dark/, (theme) => (theme === 'light' ? 'dark' : 'light')))
})
