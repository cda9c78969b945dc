import { parseAst } from 'vite'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

export interface Literal {
  line: number
  text: string
}

/** Attributes that hold no text for people. */
const TECHNICAL_ATTRIBUTES =
  /^(class(Name)?|d|style|id|key|ref|role|type|rel|href|src|to|viewBox|fill|stroke.*|data-.*|htmlFor|autoComplete|aria-(keyshortcuts|live|current|haspopup|controls|labelledby|describedby|orientation|autocomplete|relevant|owns|activedescendant|sort|pressed|checked|expanded|hidden))$/
/** Functions whose argument is a key of the storage, the name of a lock, or an error for developers. */
const TAKES_KEY = /^(usePersistedText|withTabLock|withTimeout)$/
/** Methods of strings and elements whose argument is searched for. */
const SEARCHES =
  /^(replace|replaceAll|startsWith|endsWith|includes|split|matches|closest|querySelector|querySelectorAll)$/
/** Properties that hold keys of the keyboard, keys of React, or headers. */
const KEY_PROPERTY = /^(keys?|authorization)$/
/** A list with one of these is a list of keys. */
const KEY_NAME = /^(Arrow|Page)(Up|Down|Left|Right)$/
/** A sentence, or a word that begins with a capital. */
const TEXT = /\p{L}\p{M}*\S* +\S*\p{L}|^\s*[A-Z][a-z’'…]+[.:…!?]*\s*$|^[A-Z][a-z]+ |\p{L}\.\.\.$/u
/** Lists of CSS classes or properties. */
const CLASSES = /^[\s]*[!a-z@[*-][\w\-/[\]().:%,*#&>=!'"+~@|^$]*(?:\s+[!a-z@[*-][\w\-/[\]().:%,*#&>=!'"+~@|^$]*)*\s*$/
const MEDIA_QUERY = /^\([a-z-]+: /
/** Declarations and lengths of CSS: 'top: 4px; left: 8px', '0px 0px 4px'. */
const DECLARATIONS = /^([a-z-]+: [^;]+;|-?\d+px\b)/
/** The product, a scheme of HTTP, and the labels of keys on a keyboard. */
const NAMES = /^(Parley|Bearer …|Mod|Ctrl|Shift|Alt|Esc|Escape|Enter|Page Up)$/

/** The texts for people that a source writes itself, instead of taking them from the languages' files. */
export function findLiterals(code: string, file: string): Literal[] {
  const found: Literal[] = []
  const lines = code.split('\n')
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  const add = (node: Node, text: string) => {
    const line = starts.findLastIndex((start) => start <= node.start) + 1
    if (/literal-ok/.test(lines[line - 1] ?? '')) return
    found.push({ line, text: text.trim() })
  }
  const visit = (node: unknown, inText: boolean): void => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, inText)
      return
    }
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const it = node as Node
    if (isTechnical(it)) return
    if (it.type === 'JSXText' && /\p{L}/u.test(String(it['value'])) && !NAMES.test(String(it['value']).trim()))
      add(it, String(it['value']))
    if (it.type === 'JSXAttribute') {
      const name = String((it['name'] as Node)['name'])
      if (TECHNICAL_ATTRIBUTES.test(name)) return
      const value = it['value'] as Node | null
      if (value?.type === 'Literal' && /\p{L}/u.test(String(value['value']))) {
        if (
          /^(aria-(label|description|valuetext|roledescription)|title|alt|placeholder|label)$/.test(name) ||
          TEXT.test(String(value['value']))
        )
          add(value, String(value['value']))
        return
      }
    }
    if (it.type === 'Literal' && typeof it['value'] === 'string' && isText(it['value'])) add(it, it['value'])
    if (it.type === 'TemplateLiteral') {
      const text = (it['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
      if (isText(text)) add(it, text)
    }
    for (const [key, child] of Object.entries(it)) {
      if (key === 'key' && it.type === 'Property') continue
      visit(child, inText)
    }
  }
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), false)
  return found
}

const isText = (text: string) =>
  TEXT.test(text) && ![CLASSES, MEDIA_QUERY, DECLARATIONS, NAMES].some((technical) => technical.test(text.trim()))

/** Types, imports, logs, errors for developers, comparisons and keys. */
function isTechnical(node: Node) {
  if (/^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|ExportAll)/.test(node.type)) return true
  // The names of keys.
  if (node.type === 'JSXElement') return ((node['openingElement'] as Node)['name'] as Node)['name'] === 'kbd'
  if (node.type === 'BinaryExpression' && /^([!=]=|in$)/.test(String(node['operator']))) return true
  if (node.type === 'Property') return KEY_PROPERTY.test(String((node['key'] as Node)['name']))
  if (node.type === 'ArrayExpression')
    return (node['elements'] as (Node | null)[]).some((element) => KEY_NAME.test(String(element?.['value'])))
  if (node.type === 'NewExpression') return /(Error|Exception)$/.test(String((node['callee'] as Node)['name']))
  if (node.type !== 'CallExpression') return false
  const callee = node['callee'] as Node
  // The message of an error.
  if (callee.type === 'Super' || TAKES_KEY.test(String(callee['name']))) return true
  if (callee.type !== 'MemberExpression') return false
  const { object, property } = callee as unknown as { object: Node; property: Node }
  const isLiteral = (node['arguments'] as Node[]).every(({ type }) => type === 'Literal')
  return object['name'] === 'console' || (isLiteral && SEARCHES.test(String(property['name'])))
}
