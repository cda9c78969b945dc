import { passkey } from '@better-auth/passkey'
import { jwt } from 'better-auth/plugins/jwt'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { username } from 'better-auth/plugins/username'
import { limits } from '#contract/limits'
import { isUsername } from '#contract/users'
import { databaseTime } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { TOKEN_LIFE_SECONDS } from './bearer-tokens.ts'
import { notePasskeyUse } from './factors/challenges.ts'
import { owesSecondFactor } from './factors/demand.ts'
import type { HostedProvider } from './oidc.ts'

const DAY_SECONDS = 24 * 3600

/** Better Auth's plugins: usernames, bearer tokens, second factors, passkeys and the hosted provider. */
export function authPlugins(db: Db, provider: HostedProvider | undefined) {
  return [
    username({
      minUsernameLength: limits.username.min,
      maxUsernameLength: limits.username.max,
      // At sign-in this is called before normalization.
      usernameValidator: (name) => isUsername(name.toLowerCase()),
      validationOrder: { username: 'post-normalization' },
    }),
    jwt({
      disableSettingJwtHeader: true,
      schema: { jwks: { modelName: 'signing_keys' } },
      // Old keys are kept until the last token they signed has expired.
      jwks: { rotationInterval: 30 * DAY_SECONDS, gracePeriod: DAY_SECONDS },
      jwt: {
        issuer: 'parley',
        audience: 'parley',
        // The library adds `sub`. Without `iat`, tokens of the same session and expiry are equal. All nodes use the
        // database's clock.
        definePayload: async ({ session }) => ({
          sid: session.id,
          iat: undefined,
          exp: Math.floor(databaseTime() / 1000) + TOKEN_LIFE_SECONDS,
          ...((await owesSecondFactor(db, session.id)) && { limited: true }),
        }),
      },
    }),
    // Its calls for turning it on and off are not mounted; see `factors/two-factor.ts`.
    twoFactor({ schema: { twoFactor: { modelName: 'two_factors' } } }),
    // Only for signing in; `factors/passkeys.ts` does the rest.
    passkey({
      schema: { passkey: { modelName: 'passkeys' } },
      authentication: { afterVerification: (done) => notePasskeyUse(db, done) },
    }),
    ...(provider ? [provider.plugin] : []),
  ]
}
