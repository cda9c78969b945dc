import type { Config } from '../config/config.ts'

/** Whether cookies are only for https. Browsers ignore such on plain http, except on localhost. */
export const areCookiesSecure = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') ?? false

/**
 * Returns the function that finds the session's cookie (`name=value`) in a header. There may be another one beside it,
 * from before the server moved to https or back.
 */
export function createSessionCookieReader(config: Config) {
  const prefix = areCookiesSecure(config) ? '__Secure-' : ''
  const pattern = new RegExp(`(?:^|; ?)(${prefix}parley\\.session_token=[^;]{1,500})`)
  return (header = ''): string | undefined => pattern.exec(header)?.[1]
}
export type SessionCookieReader = ReturnType<typeof createSessionCookieReader>

/** A cookie header without any session's cookie. */
export const withoutSession = (header: string | null) =>
  (header ?? '').replaceAll(/(?:^|; ?)(?:__Secure-)?parley\.session_token=[^;]*/g, '')
