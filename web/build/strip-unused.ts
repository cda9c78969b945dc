import type { Plugin } from 'vite'

// What is in a source and never runs in a browser is left out of what browsers load.

/**
 * What the browser needs of the contract: of a call its method and its path, then limits and rules. It parses nothing,
 * for the server cuts what it answers; so schemas, and the library they are made with, stay out of what is loaded.
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
          const it = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          return it?.type === 'VariableDeclaration' ? it.declarations : []
        })
        // From the end, so that the places of what stands before stay true.
        for (const { init } of declared.toReversed()) {
          if (!init || (init.type !== 'CallExpression' && init.type !== 'ObjectExpression')) continue
          const { start, end } = init
          const made = code.slice(start, end)
          const [call] = init.type === 'CallExpression' ? init.arguments : []
          const isEndpoint =
            init.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'endpoint'
          if (isEndpoint && call?.type === 'ObjectExpression') {
            const kept = call.properties.filter(
              (it) => it.type === 'Property' && it.key.type === 'Identifier' && /^(method|path)$/.test(it.key.name),
            )
            lean = `${lean.slice(0, start)}{${kept.map((it) => code.slice(it.start, it.end)).join()}}${lean.slice(end)}`
          } else if (init.type === 'CallExpression' || /\bz\./.test(made)) {
            // Made of calls that do nothing else: where nobody uses it, it may go.
            lean = `${lean.slice(0, start)}/* @__PURE__ */ (() => (${made}))()${lean.slice(end)}`
          }
        }
        return { code: lean, map: null }
      },
    },
  }
}

/** The parser imports all of markdown; what `markdown-tree.ts` switches off is never called. */
export function withoutUnusedMarkdown(): Plugin {
  return {
    name: 'without-unused-markdown',
    apply: 'build',
    transform: {
      filter: {
        id: /micromark-core-commonmark[\\/]lib[\\/](html-flow|html-text|definition|code-indented|setext-underline)\.js$/,
      },
      handler(code) {
        // It is switched off by its name.
        const [, name] = /^export const (\w+) = \{/m.exec(code) ?? []
        if (!name) throw new Error('micromark has a construct that does not say its name first')
        return { code: `export const ${name} = { name: '${name}' }`, map: null }
      },
    },
  }
}

/** Links fetch pages ahead in React Router's framework mode alone; with a plain router `PrefetchPageLinks` is never drawn. */
export function withoutFrameworkMode(): Plugin {
  return {
    name: 'without-framework-mode',
    apply: 'build',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/]production[\\/]lib[\\/]dom[\\/]ssr[\\/]components\.js$/ },
      handler(code) {
        const lean = code.replace(
          'function PrefetchPageLinks(',
          'const PrefetchPageLinks = () => null\nfunction unused(',
        )
        if (lean === code) throw new Error('React Router has no PrefetchPageLinks to leave out')
        return { code: lean, map: null }
      },
    },
  }
}
