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

/** What Better Auth does besides passwords: usernames, bearer tokens, second factors, passkeys and the hosted provider. */
export function authPlugins(db: Db, provider: HostedProvider | undefined) {
  return [
    username({
      minUsernameLength: limits.username.min,
      maxUsernameLength: limits.username.max,
      // At sign-in it is called before normalization.
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
        // The library adds `sub`. Without a time of issue, tokens of the same session and expiry are equal. All nodes
        // verify them by the database's clock.
        definePayload: async ({ session }) => ({
          sid: session.id,
          iat: undefined,
          exp: Math.floor(databaseTime() / 1000) + TOKEN_LIFE_SECONDS,
          ...((await owesSecondFactor(db, session.id)) && { limited: true }),
        }),
      },
    }),
    // Its calls for switching it on and off are not mounted: `factors/two-factor.ts` does that.
    twoFactor({ schema: { twoFactor: { modelName: 'two_factors' } } }),
    // Signs in only; `factors/passkeys.ts` does the rest.
    passkey({
      schema: { passkey: { modelName: 'passkeys' } },
      authentication: { afterVerification: (done) => notePasskeyUse(db, done) },
    }),
    ...(provider ? [provider.plugin] : []),
  ]
}
