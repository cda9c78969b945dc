import { common, createLowlight } from 'lowlight'

/** A run of code in one colour. */
export interface Run {
  text: string
  className: string | undefined
}

const lowlight = createLowlight(common)

/** CSS classes of grammar scopes; other scopes inherit. */
const classNames: Record<string, string> = {
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-keyword': 'keyword',
  'hljs-title': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-type': 'keyword',
  'hljs-name': 'keyword',
  'hljs-section': 'keyword',
  'hljs-selector-tag': 'keyword',
  'hljs-selector-class': 'keyword',
  'hljs-selector-id': 'keyword',
  'hljs-meta': 'comment',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-number': 'number',
  'hljs-literal': 'number',
  'hljs-symbol': 'number',
  'hljs-variable': 'plain',
  'hljs-subst': 'plain',
  'hljs-addition': 'addition',
  'hljs-deletion': 'deletion',
}

/** Splits code into runs of one colour; returns undefined for an unknown language. */
export default function highlight(code: string, language: string): Run[] | undefined {
  if (!lowlight.registered(language)) return undefined
  const runs: Run[] = []
  // An explicit stack, because deeply nested code would exhaust the call stack.
  const rest: { node: Node; className: string | undefined }[] = [
    { node: lowlight.highlight(language, code), className: undefined },
  ]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node, className } = next
    if (node.type === 'text') runs.push({ text: node.value, className })
    else if ('children' in node) {
      const within = classNameOf(node) ?? className
      for (const child of node.children.toReversed()) rest.push({ node: child, className: within })
    }
  }
  return runs
}

type Root = ReturnType<typeof lowlight.highlight>
type Node = Root | Root['children'][number]

function classNameOf(node: Node) {
  const [scope] = 'properties' in node && Array.isArray(node.properties.className) ? node.properties.className : []
  return classNames[String(scope)]
}
