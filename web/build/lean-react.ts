import type { Plugin } from 'vite'

// React DOM contains hydration, view transitions, and more that we do not use. This plugin replaces the conditions for them by
// constants, so that the bundler drops the dead code. Development runs the original React DOM; the journeys run the built one.

/**
 * The version of React DOM that the lists below were reviewed against. Another one may use the same names for something else,
 * so the build refuses it. After an update: review the changes to each name in `react-dom-client.production.js`, run the
 * journeys, and raise this. To update immediately, leave the plugin out of `vite.config.ts`: only the size budget of the
 * first load depends on it.
 */
const REVIEWED_VERSION = '19.3.1'

/** Variables that keep their initial value. */
const CONSTANTS: Record<string, string> = {
  isHydrating: '!1',
  nextHydratableInstance: 'null',
  shouldStartViewTransition: '!1',
  inUpdateViewTransition: '!1',
}

/** Properties that always have this value. */
const PROPERTIES: Record<string, string> = { dehydrated: 'null', isDehydrated: '!1' }

/** Kinds of fibers that are never created, by their `tag`. */
const UNUSED_TAGS = new Map([
  [18, 'a part that the server rendered'],
  [19, 'SuspenseList'],
  [26, 'a stylesheet, title or meta element, which would move into the head'],
  [27, '<html>, <head> and <body>'],
  [30, 'ViewTransition'],
  [31, 'Activity'],
])

/** Types of elements that are refused as unknown components. */
const UNUSED_TYPES = /^REACT_(ACTIVITY|SUSPENSE_LIST|VIEW_TRANSITION)_TYPE$/

/** Functions whose body is replaced. */
const BODIES: Record<string, string> = {
  isHostHoistableType: 'return !1',
  // Events wait only for server-rendered parts.
  queueIfContinuousEvent: 'return !1',
  retryIfBlockedOn: '',
  // It would show transitions without their own indicator through the Navigation API.
  defaultOnDefaultTransitionIndicator: '',
  // Functions of `react-dom` that load stylesheets and scripts.
  preconnectAs: '',
  preload: '',
  preloadModule: '',
  preinitStyle: '',
  preinitScript: '',
  preinitModuleScript: '',
  // For `useActionState` and `<form action>`.
  mountActionState: "throw Error('useActionState')",
  updateActionState: "throw Error('useActionState')",
  rerenderActionState: "throw Error('useActionState')",
}

interface Node extends Record<string, unknown> {
  type: string
  start: number
  end: number
}

/** Drops the parts of React DOM that never run here. */
export function leanReact(): Plugin {
  let hasRun = false
  return {
    name: 'lean-react',
    apply: 'build',
    generateBundle() {
      if (!hasRun) throw new Error('The build met no react-dom-client.production.js to leave parts out of')
    },
    transform: {
      filter: { id: /react-dom[\\/]cjs[\\/]react-dom-client\.production\.js$/ },
      handler(code) {
        const [, version] = /exports\.version = "([^"]+)"/.exec(code) ?? []
        if (version !== REVIEWED_VERSION)
          throw new Error(
            `web/build/lean-react.ts was read against React DOM ${REVIEWED_VERSION}, and this is ${version}`,
          )
        hasRun = true
        const missing = new Set([
          ...[CONSTANTS, PROPERTIES, BODIES].flatMap(Object.keys),
          ...[...UNUSED_TAGS.keys()].map(String),
        ])
        const edits: [start: number, end: number, text: string][] = []
        visit(this.parse(code) as unknown as Node, new Set(), (start, end, text, known) => {
          edits.push([start, end, text])
          missing.delete(known)
        })
        if (missing.size > 0) throw new Error(`React DOM has no ${[...missing].join(', ')} to leave out`)
        // From the end, so that earlier positions stay valid.
        const lean = edits
          .sort(([a], [b]) => b - a)
          .reduce((rest, [start, end, text]) => rest.slice(0, start) + text + rest.slice(end), code)
        return { code: lean, map: null }
      },
    },
  }
}

type Replace = (start: number, end: number, text: string, known: string) => void

/** Replaces what is known in a part of the program. @param shadowed names that are parameters here, and so unknown */
function visit(node: Node, shadowed: ReadonlySet<string>, replace: Replace) {
  const whole = (text: string, known: string) => replace(node.start, node.end, text, known)
  const child = (key: string) => node[key] as Node
  let inner = shadowed
  switch (node.type) {
    case 'FunctionDeclaration': {
      const name = String(child('id')['name'])
      const body = BODIES[name]
      const { start, end } = child('body')
      if (Object.hasOwn(BODIES, name)) return replace(start, end, `{ ${body} }`, name)
      inner = new Set([...shadowed, ...(node['params'] as Node[]).map((it) => String(it['name']))])
      break
    }
    case 'AssignmentExpression': {
      const target = child('left')
      if (isConstant(target, shadowed)) return whole('void 0', String(target['name']))
      if (target.type === 'MemberExpression') return visit(child('right'), shadowed, replace)
      break
    }
    case 'VariableDeclarator': {
      const init = node['init'] as Node | null
      if (init) visit(init, shadowed, replace)
      return undefined
    }
    case 'BinaryExpression': {
      const [left, right] = [child('left'), child('right')]
      const isOfTag = left.type === 'Literal' && isTag(right) && UNUSED_TAGS.has(Number(left['value']))
      if (isOfTag && node['operator'] === '===') return whole('!1', String(left['value']))
      if (isOfTag && node['operator'] === '!==') return whole('!0', String(left['value']))
      break
    }
    case 'SwitchStatement':
      leaveOutCases(node, replace)
      break
    case 'MemberExpression': {
      const name = String(child('property')['name'])
      if (!node['computed'] && Object.hasOwn(PROPERTIES, name)) return whole(PROPERTIES[name] as string, name)
      visit(child('object'), shadowed, replace)
      if (node['computed']) visit(child('property'), shadowed, replace)
      return undefined
    }
    case 'Property':
      return visit(child('value'), shadowed, replace)
    case 'Identifier':
      if (isConstant(node, shadowed)) whole(CONSTANTS[String(node['name'])] as string, String(node['name']))
      return undefined
  }
  for (const part of Object.values(node).flat()) {
    if (part && typeof part === 'object' && 'type' in part) visit(part as Node, inner, replace)
  }
  return undefined
}

const isTag = (node: Node) => node.type === 'MemberExpression' && (node['property'] as Node)['name'] === 'tag'

const isConstant = (node: Node, shadowed: ReadonlySet<string>) =>
  node.type === 'Identifier' && Object.hasOwn(CONSTANTS, String(node['name'])) && !shadowed.has(String(node['name']))

/** Without its label, a case is reached only by falling through. The first one follows a case that never matches. */
function leaveOutCases(node: Node, replace: Replace) {
  const cases = node['cases'] as (Node & { test: Node | null; consequent: Node[] })[]
  for (const [index, { start, end, test, consequent }] of cases.entries()) {
    if (!test) continue
    const isUnused = isTag(node['discriminant'] as Node)
      ? UNUSED_TAGS.has(Number(test['value']))
      : UNUSED_TYPES.test(String(test['name']))
    const text = index === 0 ? 'case -1: break;' : ''
    if (isUnused) replace(start, consequent[0]?.start ?? end, text, String(test['value']))
  }
}
