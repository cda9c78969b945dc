// Sorts languages/*.json, writes the types of the texts, and lists missing texts of each language. With --check it changes
// nothing, and fails if something is wrong.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  argumentsOf,
  type LanguageProblem,
  languageCodes,
  languageFile,
  problemsOf,
  readTexts,
  valueType,
} from './languages/texts.ts'
import { findUsedTexts } from './languages/usage.ts'
import { root } from './run-node.mjs'

const TYPES = join(root, 'contract/text-values.ts')

const check = process.argv.includes('--check')
const english = readTexts('en')
const languages = new Map(languageCodes().map((code) => [code, readTexts(code)]))
const problems: LanguageProblem[] = []
let isStale = false

await update(TYPES, typesOf(english))
for (const [code, texts] of languages) {
  const sorted = Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)))
  await update(languageFile(code), `${JSON.stringify(sorted, null, 2)}\n`)
  problems.push(...problemsOf(code, texts, english))
}
const used = findUsedTexts(new Set(Object.keys(english)))
for (const id of Object.keys(english)) {
  if (!used.has(id) && !id.startsWith('language.')) problems.push({ code: 'en', id, what: 'is not used anywhere' })
}

for (const { code, id, what } of problems) console.error(`languages/${code}.json: ${id} ${what}`)
const count = Object.keys(english).length
for (const [code, texts] of languages) {
  const missing = Object.keys(english).filter((id) => !(id in texts))
  if (missing.length === 0) continue
  console.log(`\n${code}: ${missing.length} of ${count} texts are missing; English is shown instead.`)
  if (!check) for (const id of missing) console.log(`  ${JSON.stringify(id)}: ${JSON.stringify(english[id])},`)
}
if (problems.length > 0 || (check && isStale)) process.exitCode = 1
else if (!check) console.log(`\n${count} texts in ${languages.size} languages.`)

async function update(path: string, content: string) {
  const before = await readFile(path, 'utf8').catch(() => '')
  if (before === content) return
  isStale = true
  if (check) console.error(`${path} is stale: run \`npm run languages\`.`)
  else await writeFile(path, content)
}

/** The values that each text takes, as types. */
function typesOf(texts: Record<string, string>) {
  const lines = Object.keys(texts)
    .sort()
    .map((id) => {
      const values = [...argumentsOf(texts[id] as string)].map(([name, type]) => `${name}: ${valueType(type)}`)
      return `  '${id}': ${values.length > 0 ? `{ ${values.join('; ')} }` : 'NoValues'}`
    })
  return `// Written by \`npm run languages\` from languages/en.json.

export type NoValues = Record<never, never>
/** A part of a text that is wrapped, such as \`<b>…</b>\`. */
export interface Tag {
  readonly tag: true
}

/** The texts of languages/en.json by id, with the values that each takes. */
export interface TextValues {
${lines.join('\n')}
}
`
}
