import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-node.mjs'

const QUOTED_ID = /(['"`])([a-z]\w*(?:\.\w+)+)\1/g

/** The texts whose complete ids appear in a source, in quotes. */
export function textsIn(code: string, ids: Set<string>): string[] {
  return [...code.matchAll(QUOTED_ID)].map(([, , id = '']) => id).filter((id) => ids.has(id))
}

/** Replaces ids in a source by their numbers. */
export const replaceIds = (code: string, numbers: Map<string, number>) =>
  code.replace(QUOTED_ID, (quoted, _quote, id: string) => (numbers.has(id) ? `'${numbers.get(id)}'` : quoted))

/** The texts that the sources use. */
export function findUsedTexts(ids: Set<string>): Set<string> {
  const files = globSync(['web/**/*.{ts,tsx}', 'server/**/*.ts', 'contract/**/*.ts'], {
    cwd: root,
    exclude: ['contract/text-values.ts'],
  })
  return new Set(files.flatMap((file) => textsIn(readFileSync(join(root, file), 'utf8'), ids)))
}
