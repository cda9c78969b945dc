/** Parley's version without the patch number; see vite.config.ts. */
declare const __VERSION__: string
