import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const web = join(import.meta.dirname, '..')

it('the gallery shows every part of web/ui', () => {
  const shown = globSync(join(import.meta.dirname, '*.tsx')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '\.\.\/(ui\/[^']+\.tsx)'/g)].map(([, path]) => path),
  )
  // Loaded by the toast host.
  shown.push('ui/feedback/toaster.tsx')
  const parts = globSync(join(web, 'ui/**/*.tsx')).map((file) => relative(web, file).replaceAll('\\', '/'))
  expect(parts.filter((part) => !shown.includes(part))).toEqual([])
})
