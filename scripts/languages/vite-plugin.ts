import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Plugin, parseAst } from 'vite'
import { root } from '../install.mjs'
import { pseudoText } from './pseudo.ts'
import { compileText, languageCodes, languageFile, PSEUDO, readTexts } from './texts.ts'
import { replaceIds, textsIn } from './usage.ts'

/** The parts of a language: what the first page may show, and the rest, which comes with the lazy parts. */
const PARTS = ['first', 'rest'] as const
type Part = (typeof PARTS)[number]

const LIST = 'virtual:languages'
const TEXTS = /^virtual:texts-([\w-]+)-(first|rest)$/

/** Provides `languages/*.json` as modules: `virtual:languages`, and the compiled texts of each, loaded alone. */
export function languages(): Plugin {
  let first: Set<string>
  let keys: Map<string, string>
  let areKeysShort = false
  return {
    name: 'languages',
    enforce: 'pre',
    configResolved({ command, mode }) {
      areKeysShort = command === 'build' && mode === 'production'
    },
    buildStart() {
      first = textsOfFirstPage()
      keys = areKeysShort ? shortKeys(Object.keys(readTexts('en'))) : new Map()
      for (const code of languageCodes()) this.addWatchFile(languageFile(code))
    },
    resolveId: (id) => (id === LIST || TEXTS.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${LIST}`) return listModule()
      const [, code, part] = TEXTS.exec(id.slice(1)) ?? []
      return code && part ? textsModule(code, part as Part, first, keys) : undefined
    },
    transform: {
      filter: { id: /[\\/](web|contract)[\\/].*\.tsx?$/ },
      handler: (code) => (keys.size > 0 ? { code: replaceIds(code, keys), map: null } : undefined),
    },
    handleHotUpdate({ file, server }) {
      if (dirname(file) !== dirname(languageFile('en'))) return
      first = textsOfFirstPage()
      server.moduleGraph.invalidateAll()
      server.ws.send({ type: 'full-reload' })
      return []
    },
  }
}

function listModule() {
  const list = languageCodes().map((code) => {
    const texts = readTexts(code)
    return { code, name: texts['language.name'] ?? code, direction: texts['language.direction'] ?? 'ltr' }
  })
  const loaders = [...list.map(({ code }) => code), PSEUDO].map((code) => {
    const parts = PARTS.map((part) => `${part}: () => import('virtual:texts-${code}-${part}')`)
    return `'${code}': { ${parts.join(', ')} }`
  })
  return `export const languages = ${JSON.stringify(list)}\nexport const loaders = { ${loaders.join(', ')} }`
}

/** Keys instead of ids, which weigh as much as their texts. Those of errors are made at run time, from their codes. */
const shortKeys = (ids: string[]) =>
  new Map(ids.filter((id) => !id.startsWith('errors.')).map((id, at) => [id, at.toString(36)]))

/** The texts of a part; what a language lacks is English. */
function textsModule(code: string, part: Part, first: Set<string>, keys: Map<string, string>) {
  const english = readTexts('en')
  const own = code === PSEUDO ? {} : readTexts(code)
  const texts = Object.keys(english)
    .filter((id) => first.has(id) === (part === 'first'))
    .map((id) => {
      const text = own[id] ?? english[id] ?? ''
      return [keys.get(id) ?? id, compileText(code === PSEUDO ? pseudoText(text) : text)] as const
    })
  // Browsers parse JSON faster than an object literal.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(texts)))})`
}

/** The texts of the modules that load with the page, and of those they load by themselves, without a lazy part. */
function textsOfFirstPage() {
  const web = join(root, 'web')
  const ids = new Set(Object.keys(readTexts('en')))
  // The contract's texts are those of refusals. Until `rest` has loaded, a refusal is shown in the server's English.
  const sources = new Set(globSync('**/*.{ts,tsx}', { cwd: web }).map((file) => join(web, file)))
  const found = new Set<string>()
  const pending = new Set([join(web, 'main.tsx')])
  // Iterating a Set includes items added meanwhile.
  for (const file of pending) {
    if (!sources.has(file)) continue
    const code = readFileSync(file, 'utf8')
    for (const id of textsIn(code, ids)) found.add(id)
    for (const target of eagerImports(code, relative(web, file))) {
      pending.add(target.startsWith('#') ? join(web, '..', `${target.slice(1)}.ts`) : join(dirname(file), target))
    }
  }
  return found
}

interface Node {
  type: string
  importKind?: string
  exportKind?: string
  source?: { value?: unknown }
}

/** What a module imports at once. `() => import(…)` is a lazy part: its texts come with it. */
function eagerImports(code: string, name: string): string[] {
  const found: string[] = []
  const visit = (node: unknown, parent?: Node) => {
    if (Array.isArray(node)) for (const child of node) visit(child, parent)
    else if (typeof node === 'object' && node !== null && 'type' in node) {
      const it = node as Node
      const isType = it.importKind === 'type' || it.exportKind === 'type' || it.type === 'TSImportType'
      const isLazy = it.type === 'ImportExpression' && parent?.type === 'ArrowFunctionExpression'
      if (typeof it.source?.value === 'string' && !isType && !isLazy) found.push(it.source.value)
      for (const child of Object.values(it)) visit(child, it)
    }
  }
  visit(parseAst(code, { lang: name.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}
