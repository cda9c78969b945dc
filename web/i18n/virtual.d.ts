// Made of `languages/*.json` by scripts/languages/vite-plugin.ts.

declare module 'virtual:languages' {
  import type { Texts } from './text.ts'

  interface FirstPart {
    /** The texts that the first page may show. */
    default: Texts
    direction: 'ltr' | 'rtl'
    loadRest: () => Promise<{ default: Texts }>
  }

  /** By code: 'en', 'de', … */
  export const loaders: Record<string, () => Promise<FirstPart>>
}

declare module 'virtual:language-names' {
  /** Each language by its own name: 'Deutsch'. */
  export const languages: { code: string; name: string }[]
}
