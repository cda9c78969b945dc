import type { Plugin } from 'vite'

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
