import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, parseAst, type ViteDevServer } from 'vite'
import { root } from '../run-node.mjs'
import { pseudoText } from './pseudo.ts'
import { compileText, isolateChannels, languageCodes, languageFile, PSEUDO, readTexts } from './texts.ts'
import { replaceIds, textsIn } from './usage.ts'

/** The parts of a language: texts that the first page may show, and the rest, which is loaded with the lazy parts. */
type Part = 'first' | 'rest'

const LOADERS = 'virtual:languages'
const NAMES = 'virtual:language-names'
const TEXTS = /^virtual:texts-([\w-]+)-(first|rest)$/

/** Provides `languages/*.json` as modules: how each is loaded, their names, and the compiled texts of each. */
export function languages(): Plugin {
  let first: Set<string>
  let numbers: Map<string, number> | undefined
  let areIdsNumbered = false
  return {
    name: 'languages',
    enforce: 'pre',
    configResolved({ command, mode }) {
      areIdsNumbered = command === 'build' && mode === 'production'
    },
    buildStart() {
      first = textsOfFirstPage()
      numbers = areIdsNumbered ? numberIds(Object.keys(readTexts('en')).filter(isShown), first) : undefined
      for (const code of languageCodes()) this.addWatchFile(languageFile(code))
    },
    configureServer(server) {
      const folder = dirname(languageFile('en'))
      server.watcher.add(folder)
      // Reload for a new language as for a changed one.
      server.watcher.on('add', (file) => dirname(file) === folder && reload(server))
    },
    resolveId: (id) => (id === LOADERS || id === NAMES || TEXTS.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${LOADERS}`) return loadersModule()
      if (id === `\0${NAMES}`) return namesModule()
      const [, code, part] = TEXTS.exec(id.slice(1)) ?? []
      return code && part ? textsModule(code, part as Part, first, numbers) : undefined
    },
    transform: {
      filter: { id: /[\\/](web|contract)[\\/].*\.tsx?$/ },
      handler: (code) => (numbers ? { code: replaceIds(code, numbers), map: null } : undefined),
    },
    handleHotUpdate({ file, server }) {
      if (dirname(file) !== dirname(languageFile('en'))) return
      first = textsOfFirstPage()
      reload(server)
      return []
    },
  }
}

function reload({ moduleGraph, ws }: ViteDevServer) {
  moduleGraph.invalidateAll()
  ws.send({ type: 'full-reload' })
}

/** Separate from the texts: a text module with imports would wait for the page, which waits for it. */
function loadersModule() {
  const load = (code: string, part: Part) => `() => import('virtual:texts-${code}-${part}')`
  const loaders = [...languageCodes(), PSEUDO].map(
    (code) => `'${code}': [${load(code, 'first')}, ${load(code, 'rest')}]`,
  )
  return `export const loaders = { ${loaders.join(', ')} }`
}

function namesModule() {
  const names = languageCodes().map((code) => ({ code, name: readTexts(code)['language.name'] ?? code }))
  return `export const languages = ${JSON.stringify(names)}`
}

/** Numbers for ids, which are smaller. Ids of errors stay, because they are built at run time. */
function numberIds(ids: string[], first: Set<string>) {
  const numbered = ids.filter((id) => !id.startsWith('errors.'))
  // Each part has consecutive numbers.
  numbered.sort((a, b) => Number(first.has(b)) - Number(first.has(a)))
  return new Map(numbered.map((id, number) => [id, number]))
}

/** Only the server writes mails. */
const isShown = (id: string) => !/^(mail|assistant\.answer)\./.test(id)

/** The texts of a part; missing ones are English. */
function textsModule(code: string, part: Part, first: Set<string>, numbers = new Map<string, number>()) {
  const english = readTexts('en')
  const own = code === PSEUDO ? {} : readTexts(code)
  const compile = (id: string) => {
    const text = own[id] ?? english[id] ?? ''
    if (code === PSEUDO) return compileText(pseudoText(text))
    return compileText(own['language.direction'] === 'rtl' ? isolateChannels(text) : text)
  }
  const isInPart = (id: string) => isShown(id) && first.has(id) === (part === 'first')
  const numbered = [...numbers.keys()].filter(isInPart)
  const named = Object.keys(english).filter((id) => isInPart(id) && !numbers.has(id))
  const texts = {
    start: numbers.get(numbered[0] ?? '') ?? 0,
    numbered: numbered.map(compile),
    named: Object.fromEntries(named.map((id) => [id, compile(id)])),
  }
  // Browsers parse JSON faster than an object literal.
  const lines = [`export default JSON.parse(${JSON.stringify(JSON.stringify(texts))})`]
  if (part === 'first') lines.push(`export const direction = '${own['language.direction'] ?? 'ltr'}'`)
  return lines.join('\n')
}

/** The texts of the modules that load with the page, including those that they import eagerly. */
function textsOfFirstPage() {
  const web = join(root, 'web')
  const ids = new Set(Object.keys(readTexts('en')))
  // The contract's texts are those of refusals. Until `rest` has loaded, a refusal is shown in the server's English.
  const sources = new Set(globSync('**/*.{ts,tsx}', { cwd: web }).map((file) => join(web, file)))
  const found = new Set<string>()
  const pending = new Set([join(web, 'main.tsx')])
  // Iterating a Set includes items added during the iteration.
  for (const file of pending) {
    if (!sources.has(file)) continue
    const code = readFileSync(file, 'utf8')
    for (const id of textsIn(code, ids)) found.add(id)
    for (const target of eagerImports(code, file)) pending.add(join(dirname(file), target))
  }
  return found
}

interface Node {
  type: string
  importKind?: string
  exportKind?: string
  source?: { value?: unknown }
}

/** The eager imports of a module. `() => import(…)` is a lazy part, which brings its texts. */
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
