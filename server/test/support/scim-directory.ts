import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { Person, startParley } from './parley.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type Method = NonNullable<InjectOptions['method']>
type Parley = Pick<Awaited<ReturnType<typeof startParley>>, 'app'>
interface Refusal {
  status: number
  body: { status: string; scimType?: string; schemas: string[] }
}

/** A directory with a token from the owner of a workspace. */
export async function openDirectory(parley: Parley, owner: Person) {
  const { token } = (await owner.post('/api/provisioning-tokens', { name: 'Okta' })).body
  let count = 0

  async function scim(
    method: Method,
    path: string,
    payload?: object | string,
    { at = parley, by = token }: { at?: Parley; by?: string } = {},
  ) {
    const answer = await at.app.inject({
      method,
      url: `/api/scim/v2${path}`,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/scim+json' },
      ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    const body = answer.body === '' ? undefined : answer.json()
    return { status: answer.statusCode, body, headers: answer.headers }
  }
  /** A person in Okta's format. */
  function someone(more: object = {}) {
    const name = `person${count++}`
    return {
      schemas: [USER],
      userName: `${name}@corp.example`,
      name: { givenName: 'Given', familyName: name },
      emails: [{ primary: true, value: `${name}@corp.example`, type: 'work' }],
      displayName: `Given ${name}`,
      locale: 'en-US',
      externalId: `ext-${name}`,
      groups: [],
      password: '1mz050nq',
      active: true,
      ...more,
    }
  }
  return {
    scim,
    someone,
    patch: (id: string, ...Operations: object[]) => scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations }),
    find: (filter: string) => scim('GET', `/Users?filter=${encodeURIComponent(filter)}`),
    create: async (more?: object) => (await scim('POST', '/Users', someone(more))).body,
  }
}

/** The status and type of an error in SCIM's format. */
export function codeOf({ status, body }: Refusal) {
  expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error'])
  expect(body.status).toBe(String(status))
  return [status, body.scimType]
}
