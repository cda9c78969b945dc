const PRELOAD = `--import=${new URL('cheap-passwords.mjs', import.meta.url)}`

/** Applies to all child processes, so that they accept each other's hashes. */
export function preloadCheapPasswords() {
  const { NODE_OPTIONS = '' } = process.env
  if (!NODE_OPTIONS.includes(PRELOAD)) process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} ${PRELOAD}`
}
