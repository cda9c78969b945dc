import type { Plugin } from 'vite'

// Build plugins that strip code which never runs in a browser.

/**
 * Strips the schemas from the contract, and so the schema library. The client needs the method and path of an endpoint,
 * limits and rules. It does not validate responses: the server strips unknown fields.
 */
export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]contract[\\/][\w-]+\.ts$/ },
      handler(code) {
        let lean = code
        const declared = this.parse(code).body.flatMap((statement) => {
          const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          return node?.type === 'VariableDeclaration' ? node.declarations : []
        })
        // From the end, so that earlier positions stay valid.
        for (const { init } of declared.toReversed()) {
          if (!init || (init.type !== 'CallExpression' && init.type !== 'ObjectExpression')) continue
          const { start, end } = init
          const source = code.slice(start, end)
          const [definition] = init.type === 'CallExpression' ? init.arguments : []
          const isEndpoint =
            init.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'endpoint'
          if (isEndpoint && definition?.type === 'ObjectExpression') {
            const needed = definition.properties.filter(
              (property) =>
                property.type === 'Property' &&
                property.key.type === 'Identifier' &&
                /^(method|path)$/.test(property.key.name),
            )
            lean = `${lean.slice(0, start)}{${needed.map((property) => code.slice(property.start, property.end)).join()}}${lean.slice(end)}`
          } else if (init.type === 'CallExpression' || /\bz\./.test(source)) {
            // These calls have no side effects, so the bundler may drop unused ones.
            lean = `${lean.slice(0, start)}/* @__PURE__ */ (() => (${source}))()${lean.slice(end)}`
          }
        }
        return { code: lean, map: null }
      },
    },
  }
}

/** Strips Markdown constructs that the parser imports but `markdown-tree.ts` disables. */
export function withoutUnusedMarkdown(): Plugin {
  return {
    name: 'without-unused-markdown',
    apply: 'build',
    transform: {
      filter: {
        id: /micromark-core-commonmark[\\/]lib[\\/](html-flow|html-text|definition|code-indented|setext-underline)\.js$/,
      },
      handler(code) {
        // It is disabled by its name.
        const [, name] = /^export const (\w+) = \{/m.exec(code) ?? []
        if (!name) throw new Error('A construct of micromark does not start with its exported name')
        return { code: `export const ${name} = { name: '${name}' }`, map: null }
      },
    },
  }
}

/** What React Router does for loaders, actions and server rendering, by file. We render `<BrowserRouter>`, so it never runs. */
const DATA_ROUTING: Record<string, [part: string, instead: string][]> = {
  'dom/ssr/components.js': [
    ['function PrefetchPageLinks(', 'const PrefetchPageLinks = () => null\nfunction unusedLinks('],
    ['function usePrefetchBehavior(', 'const usePrefetchBehavior = () => [false, null, {}]\nfunction unusedPrefetch('],
  ],
  'components.js': [
    ['AwaitErrorBoundary = class extends React$1.Component', 'AwaitErrorBoundary = class extends null'],
  ],
  'dom/lib.js': [['React$1.useContext(DataRouterNavigationContext)', 'null']],
  'hooks.js': [
    ['React$1.useContext(IsDataRouteContext) ? useNavigateStable() : useNavigateUnstable()', 'useNavigateUnstable()'],
    ['let dataRouterState = dataRouterOpts?.state', 'const dataRouterState = undefined'],
    ['if (dataRouterOpts && dataRouterState)', 'if (false)'],
    ['if (dataRouterOpts) if', 'if (false) if'],
  ],
}

/** Strips those parts, and what else is unused: bundlers keep a component whose `displayName` is assigned. */
export function withoutDataRouting(): Plugin {
  return {
    name: 'without-data-routing',
    apply: 'build',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/]production[\\/]lib[\\/].*\.js$/ },
      handler(code, id) {
        let lean = code
          .replaceAll(/^\w+\.displayName = ".*";$/gm, '')
          .replaceAll(/^(const \w+ = )(?=React\$1\.(?:createContext|forwardRef|memo)\()/gm, '$1/* @__PURE__ */ ')
        const [, file = ''] = /[\\/]lib[\\/](.*)$/.exec(id) ?? []
        for (const [part, instead] of DATA_ROUTING[file.replaceAll('\\', '/')] ?? []) {
          if (!lean.includes(part)) throw new Error(`React Router's ${file} has no '${part}' to leave out`)
          lean = lean.replace(part, instead)
        }
        return { code: lean, map: null }
      },
    },
  }
}

/** Keeps only `formatToParts` of the message format: its class parses texts, which the build has done. */
export function withoutMessageClass(): Plugin {
  return {
    name: 'without-message-class',
    apply: 'build',
    transform: {
      filter: { id: /intl-messageformat[\\/]index\.js$/ },
      handler(code, id) {
        const start = code.indexOf('function mergeConfig(')
        const end = code.indexOf('export {')
        const rest = code.slice(0, start).replace(/^import .*fast-memoize.*$/m, '')
        if (start < 0 || end < start || !rest.includes('function formatToParts(') || rest.includes('memoize('))
          throw new Error(`${id} does not define formatToParts before its class`)
        return { code: `${rest}export { formatToParts }`, map: null }
      },
    },
  }
}
