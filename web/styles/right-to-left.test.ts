import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const web = join(import.meta.dirname, '..')
/** Tailwind's classes for a physical side; `rounded-l` and `rounded-s` are our radii. */
const PHYSICAL_CLASS =
  /(?<=["'` :!])-?(?:m[lr]|p[lr]|left|right|border-[lr]|scroll-[mp][lr]|rounded-(?:[lr]|[tb][lr])-[\w[]|text-(?:left|right)|float-(?:left|right))(?:-(?=[\d[a-z])[\w[\].()%-]+|(?=["'` ]))/g
/** A translation along the line has to be turned round. */
const TRANSLATION = /(?<=["'` ])-?(?:[a-z-]+:)*-?translate-x-\S+/g
const PHYSICAL_PROPERTY =
  /(?:margin|padding|border)-(?:left|right)\b|(?<=[{;\s])(?:left|right)\s*:|(?:text-align|float|clear): (?:left|right)/g

const isClasses = (line: string) =>
  /className|['"`][^'"`]*\b(?:flex|absolute|grid|rounded|text|bg)-?[^'"`]*['"`]/.test(line)
const find = (pattern: string, search: (line: string, lines: string[], at: number) => Iterable<string>) =>
  globSync(pattern, { cwd: web })
    .filter((file) => !/test\.tsx?$|^dev/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(web, file), 'utf8').split('\n')
      return lines.flatMap((line, at) => [...search(line, lines, at)].map((found) => `${file}:${at + 1} ${found}`))
    })

it('the interface mirrors: classes name the start and the end of a line, not left and right', () => {
  const words = /^(?:left|right)$/
  expect(
    find('**/*.tsx', (line) =>
      isClasses(line) ? [...line.matchAll(PHYSICAL_CLASS)].map(([it]) => it).filter((it) => !words.test(it)) : [],
    ),
  ).toEqual([])
})

it('a translation along the line has its mirror', () => {
  expect(
    find('**/*.tsx', (line) => (line.includes('rtl:') ? [] : [...line.matchAll(TRANSLATION)].map(([it]) => it))),
  ).toEqual([])
})

it('stylesheets name physical sides only beside their mirror', () => {
  expect(
    find('**/*.css', (line, lines, at) => {
      const around = lines.slice(Math.max(0, at - 4), at + 5).join('\n')
      return /rtl/.test(around) ? [] : [...line.matchAll(PHYSICAL_PROPERTY)].map(([it]) => it)
    }),
  ).toEqual([])
})
