import type { Config } from '../config/config.ts'

/** Whether cookies are `Secure`. Browsers ignore those over plain http, except on localhost. */
export const areCookiesSecure = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') ?? false

/**
 * Returns a function that finds the session cookie (`name=value`) in a header. The header may contain another one from before
 * the server moved to https or back.
 */
export function createSessionCookieReader(config: Config) {
  const prefix = areCookiesSecure(config) ? '__Secure-' : ''
  const pattern = new RegExp(`(?:^|; ?)(${prefix}parley\\.session_token=[^;]{1,500})`)
  return (header = ''): string | undefined => pattern.exec(header)?.[1]
}
export type SessionCookieReader = ReturnType<typeof createSessionCookieReader>

/** Whether a `Set-Cookie` header clears the session cookie. */
export const clearsSession = (setCookie: string) => /^(?:__Secure-)?parley\.session_token=;/.test(setCookie)

/** Removes all session cookies from a cookie header. */
export const withoutSession = (header: string | null) =>
  (header ?? '').replaceAll(/(?:^|; ?)(?:__Secure-)?parley\.session_token=[^;]*/g, '')
