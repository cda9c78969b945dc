import { parseAst } from 'vite'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

interface Literal {
  line: number
  text: string
}

/** Attributes without text for people. */
const TECHNICAL_ATTRIBUTES =
  /^(class(Name)?|d|style|id|key|ref|role|type|rel|href|src|media|to|viewBox|fill|stroke.*|data-.*|htmlFor|autoComplete|aria-(keyshortcuts|live|current|haspopup|controls|labelledby|describedby|orientation|autocomplete|relevant|owns|activedescendant|sort|pressed|checked|expanded|hidden))$/
/** Functions whose argument is a storage key, the name of a lock, or an error for developers. */
const TAKES_KEY = /^(usePersistedText|withTabLock|withTimeout)$/
/** Methods of strings and elements whose argument is a search pattern. */
const SEARCHES =
  /^(replace|replaceAll|startsWith|endsWith|includes|split|matches|closest|querySelector|querySelectorAll)$/
/** Properties for keyboard keys, React keys, or headers. */
const KEY_PROPERTY = /^(keys?|authorization)$/
/** An array with one of these is a list of keyboard keys. */
const KEY_NAME = /^(Arrow|Page)(Up|Down|Left|Right)$/
/** A sentence, or a capitalized word. */
const TEXT = /\p{L}\p{M}*\S* +\S*\p{L}|^\s*[A-Z][a-z’'…]+[.:…!?]*\s*$|^[A-Z][a-z]+ |\p{L}\.\.\.$/u
/** Lists of CSS classes or properties. */
const CLASSES = /^[\s]*[!a-z@[*-][\w\-/[\]().:%,*#&>=!'"+~@|^$]*(?:\s+[!a-z@[*-][\w\-/[\]().:%,*#&>=!'"+~@|^$]*)*\s*$/
const MEDIA_QUERY = /^\([a-z-]+: /
/** CSS selectors: '#nav button'. */
const SELECTOR = /^[#.][\w-]+ [a-z]+$/
/** CSS declarations and lengths: 'top: 4px; left: 8px', '0px 0px 4px'. */
const DECLARATIONS = /^([a-z-]+: [^;]+;|-?\d+px\b)/
/** Products, an HTTP authentication scheme, and labels of keyboard keys. */
const NAMES =
  /^(Parley|Slack|Mattermost|Discord|Rocket\.Chat|Zulip|Bearer …|Mod|Ctrl|Shift|Alt|Esc|Escape|Enter|Page Up)$/

/** Attributes whose words are always a text. */
const TEXT_ATTRIBUTES = /^(aria-(label|description|valuetext|roledescription)|title|alt|placeholder|label)$/

/** Finds texts for people that a source contains itself, instead of taking them from the languages' files. */
export function findLiterals(code: string, file: string): Literal[] {
  const found: Literal[] = []
  const add = ({ start }: Node, text: string) =>
    found.push({ line: code.slice(0, start).split('\n').length, text: text.trim() })
  walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    if (isTechnical(node)) return false
    if (node.type === 'JSXText') {
      const text = String(node['value'])
      if (/\p{L}/u.test(text) && !NAMES.test(text.trim())) add(node, text)
    }
    if (node.type === 'JSXAttribute') {
      const name = String((node['name'] as Node)['name'])
      if (TECHNICAL_ATTRIBUTES.test(name)) return false
      const value = node['value'] as Node | null
      if (value?.type !== 'Literal') return true
      const text = String(value['value'])
      if (TEXT_ATTRIBUTES.test(name) ? /\p{L}/u.test(text) : TEXT.test(text)) add(value, text)
      return false
    }
    if (node.type === 'Literal' && typeof node['value'] === 'string' && isText(node['value'])) add(node, node['value'])
    if (node.type === 'TemplateLiteral') {
      const text = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
      if (isText(text)) add(node, text)
    }
    return true
  })
  return found
}

/** Finds lines that read a text while their module loads, which would keep the language of that time. */
export function findEarlyTexts(code: string, file: string): number[] {
  const found: number[] = []
  walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    if (/Function|^MethodDefinition|^TS/.test(node.type)) return false
    const { name } = (node['callee'] ?? {}) as { name?: unknown }
    if (
      node.type === 'CallExpression' &&
      /^(t|rich|dateFormat|numberFormat|formatList|locale|direction)$/.test(String(name))
    )
      found.push(code.slice(0, node.start).split('\n').length)
    return true
  })
  return found
}

/** Visits the nodes of a tree from the top; skips the children of nodes for which `visit` returns false. */
function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(node)) for (const child of node) walk(child, visit)
  else if (typeof node === 'object' && node !== null && 'type' in node && visit(node as Node)) {
    for (const [name, child] of Object.entries(node)) {
      // Skip the names of properties.
      if (name !== 'key' || (node as Node).type !== 'Property') walk(child, visit)
    }
  }
}

const isText = (text: string) =>
  TEXT.test(text) &&
  ![CLASSES, MEDIA_QUERY, SELECTOR, DECLARATIONS, NAMES].some((technical) => technical.test(text.trim()))

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
