import { createHash } from 'node:crypto'
import { type JWTPayload, jwtVerify } from 'jose'
import type { OidcConfig } from '../config/oidc-settings.ts'
import { databaseTime } from '../db/clock.ts'
import { reasonOf } from '../errors.ts'
import type { Logger } from '../process/logger.ts'
import type { Discovery } from './oidc-discovery.ts'

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const CLOCK_TOLERANCE_SECONDS = 60
/** How far ahead of ours the provider's clock may be. */
const MAX_CLOCK_LEAD_SECONDS = 300
const MAX_CLAIM_CHARACTERS = 255

/** Whether an identifier from the provider can be stored and compared. */
export const isShortText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  !value.includes('\0') &&
  value.length <= MAX_CLAIM_CHARACTERS &&
  value.isWellFormed()

/** Some providers number their users. */
const isSubject = (value: unknown) => isShortText(value) || Number.isSafeInteger(value)

/** The claims of an id token that was issued to us for this request; undefined for any other. */
export async function verifyIdToken(
  idToken: string | undefined,
  nonce: string | undefined,
  { issuer, keys }: Discovery,
  { clientId }: OidcConfig,
  log: Logger,
): Promise<JWTPayload | undefined> {
  try {
    if (!idToken) throw new Error('it is missing')
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(databaseTime()),
    })
    // Otherwise, later sign-outs at the provider would count as earlier ones.
    if ((payload.iat as number) > databaseTime() / 1000 + MAX_CLOCK_LEAD_SECONDS)
      throw new Error('it was issued in the future: the clocks differ')
    if (!isSubject(payload.sub)) throw new Error('its subject is no short text')
    if (!nonce || payload['nonce'] !== nonce) throw new Error('its nonce belongs to another request')
    // A token for several audiences must name us as the authorized party.
    const isOurs = payload['azp'] === undefined ? [payload.aud].flat().length === 1 : payload['azp'] === clientId
    if (!isOurs) throw new Error('it was issued to another client')
    return payload
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'a token of the identity provider was refused')
    return undefined
  }
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A logout token is sent immediately; an older one is a replay. */
const MAX_LOGOUT_AGE_SECONDS = 300

/** The sessions that the provider has ended: one, or all of a person. At least one of `accountId` and `sid` is present. */
export interface ProviderLogout {
  /** Identifies the token. */
  id: string
  accountId: string | undefined
  sid: string | undefined
  /** In seconds since 1970. */
  issuedAt: number
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout, 2.6). Doesn't check whether it was used before.
 * @throws for any other token
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, keys }: Discovery,
  { clientId }: OidcConfig,
): Promise<ProviderLogout> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(databaseTime()),
  })
  const { sub, jti, nonce, sid, events } = payload
  if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) throw new Error('it does not speak of a sign-out')
  // An id token has a nonce, and must not serve as a logout token.
  if (nonce !== undefined) throw new Error('a logout token has no nonce')
  for (const claim of [sub, jti, sid])
    if (claim !== undefined && !isShortText(claim)) throw new Error('a claim is no short text')
  if (sub === undefined && sid === undefined) throw new Error('it names nobody')
  return {
    id: createHash('sha256')
      .update(JSON.stringify([payload.iss, jti]))
      .digest('base64url'),
    accountId: sub === undefined ? undefined : accountIdOf(payload),
    sid: sid as string | undefined,
    issuedAt: payload.iat as number,
  }
}

/** Subjects are unique only within their issuer. */
export const accountIdOf = ({ iss, sub }: JWTPayload) => `${iss}|${sub}`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
