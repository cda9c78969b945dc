/** Made of `languages/*.json` by scripts/languages/vite-plugin.ts. */
declare module 'virtual:languages' {
  import type { CompiledText } from './text.ts'

  interface Language {
    /** 'en', 'de', … */
    code: string
    /** Its own name: 'Deutsch'. */
    name: string
    direction: 'ltr' | 'rtl'
  }
  type Load = () => Promise<{ default: Record<string, CompiledText> }>

  export const languages: Language[]
  /** For each code the texts of the first page, and the rest. */
  export const loaders: Record<string, { first: Load; rest: Load }>
}
