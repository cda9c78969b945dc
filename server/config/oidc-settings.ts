import * as z from 'zod'
import { isUsername } from '#contract/users'
import { StartError } from './start-error.ts'

/** Roles that a hosted provider can assign: there is only one owner, and guests need an invite. */
const providedRoles = ['admin', 'member'] as const
type ProvidedRole = (typeof providedRoles)[number]
const isProvidedRole = (name: string) => (providedRoles as readonly string[]).includes(name)

export interface OidcConfig {
  /** Exactly as in the provider's tokens. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which is protected by PKCE alone. */
  clientSecret: string | undefined
  /** Shown on the sign-in button. */
  name: string
  /** Whether the provider is the only way to sign in. */
  only: boolean
  /** Requested in addition to `openid email profile`. */
  scopes: string[]
  /** The claim that lists a person's groups at the provider. */
  groupsClaim: string
  /** Maps the provider's groups to roles; the first match counts. Empty leaves roles unchanged. */
  roles: { name: ProvidedRole; from: string }[]
  /** Maps the provider's groups to groups here. Empty leaves groups unchanged. */
  groups: { name: string; from: string }[]
}

const isIssuer = (value: string) => {
  const url = URL.parse(value)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)
}

const MAX_PAIRS = 100

/** `name=group;name=group`. A group of the provider may contain any other character, such as those of an LDAP name. */
const pairs = (isName: (name: string) => boolean, rule: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(';')
        .map((pair) => pair.trim())
        .filter(Boolean)
        .map((pair) => {
          const [name = '', ...rest] = pair.split('=')
          return { name: name.trim(), from: rest.join('=').trim() }
        }),
    )
    .refine((all) => all.length <= MAX_PAIRS && all.every(({ name, from }) => isName(name) && from !== ''), rule)
    .optional()

/** The environment variables of the hosted provider. */
export const oidcEnvironment = {
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be the https address of an OpenID Connect provider (http only on localhost)')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, 'must have at most 40 characters').optional(),
  OIDC_ONLY: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OIDC_SCOPES: z
    .string()
    .regex(/^[!-~ ]{1,500}$/, 'must be scopes with spaces between them, such as groups')
    .transform((value) => value.split(' ').filter(Boolean))
    .optional(),
  OIDC_GROUPS_CLAIM: z.string().max(200, 'must have at most 200 characters').default('groups'),
  OIDC_GROUPS: pairs(isUsername, 'must be groups with the provider’s groups, such as design=chat-design;ops=it'),
  OIDC_ROLES: pairs(isProvidedRole, 'must be roles with the provider’s groups, such as admin=chat-admins;member=staff'),
}
type OidcEnvironment = z.output<z.ZodObject<typeof oidcEnvironment>>

export function readOidc(env: OidcEnvironment): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  const only = env.OIDC_ONLY === 'true'
  const roles = (env.OIDC_ROLES ?? []) as OidcConfig['roles']
  const groups = env.OIDC_GROUPS ?? []
  if (!issuer) {
    if (clientId || only || roles.length + groups.length > 0)
      throw new StartError('OIDC_ISSUER is missing: set it to the URL of the provider.')
    return undefined
  }
  if (!clientId) throw new StartError('OIDC_CLIENT_ID is missing: the provider assigned it when you registered Parley.')
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.OIDC_NAME ?? new URL(issuer).hostname,
    only,
    scopes: env.OIDC_SCOPES ?? [],
    groupsClaim: env.OIDC_GROUPS_CLAIM,
    roles,
    groups,
  }
}
