// Generated from `languages/*.json` by scripts/languages/vite-plugin.ts.

declare module 'virtual:languages' {
  import type { Texts } from './text.ts'

  type LoadFirst = () => Promise<{ default: Texts; direction: 'ltr' | 'rtl' }>
  type LoadRest = () => Promise<{ default: Texts }>

  /** By code ('en', 'de', …): the texts that the first page may show, and all others. */
  export const loaders: Record<string, [LoadFirst, LoadRest]>
}

declare module 'virtual:language-names' {
  /** Each language by its own name: 'Deutsch'. */
  export const languages: { code: string; name: string }[]
}
