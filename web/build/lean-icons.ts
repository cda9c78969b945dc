import type { Plugin } from 'vite'

/** Draws an icon as the library does, without its options that we do not use. */
const CREATE_ICON = `
import { createElement } from 'react'

export default ({ node: shapes }) => ({ size = 24, className = '', ...rest }) =>
  createElement(
    'svg',
    {
      width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2,
      strokeLinecap: 'round', strokeLinejoin: 'round', 'aria-hidden': rest['aria-label'] ? undefined : true,
      ...rest,
      className: 'lucide ' + className,
    },
    ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
  )
`

/** Reduces the icons to their shapes: names, aliases and keys weigh as much. */
export function leanIcons(): Plugin {
  return {
    name: 'lean-icons',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react[\\/]dist[\\/]esm[\\/]/, code: /\b__iconData = |function createLucideIcon\(/ },
      handler(code, id) {
        if (id.endsWith('createLucideIcon.mjs')) return { code: CREATE_ICON, map: null }
        const lean = code
          .replace(/\bname: "[\w-]+",\s+size: 24,/, '')
          .replace(/,\s+aliases: \[[^\]]*\]/, '')
          .replaceAll(/,\s+key: "\w+"/g, '')
          .replace('__iconData.node;', '')
        if (/\b(name|size|key): /.test(lean)) throw new Error(`${id} is not an icon of 24 units as expected`)
        return { code: lean, map: null }
      },
    },
  }
}
