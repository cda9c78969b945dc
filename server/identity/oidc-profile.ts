import { isShortText } from './oidc-tokens.ts'

type Claims = Record<string, unknown>

const ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u

/**
 * The person's address, and whether the provider has verified it. The user info's `email_verified` counts only if its address
 * is that of the id token.
 */
export function addressOf(token: Claims, info: Claims): { email: string | null; isVerified: boolean } {
  const email = token['email'] ?? info['email']
  if (!isShortText(email) || !ADDRESS.test(email)) return { email: null, isVerified: false }
  const isSame = typeof info['email'] === 'string' && info['email'].toLowerCase() === email.toLowerCase()
  const verified = token['email_verified'] ?? (isSame ? info['email_verified'] : undefined)
  // Some providers send a string.
  return { email, isVerified: verified === true || verified === 'true' }
}
