import type { Attributes } from './attributes.ts'
import type { Member } from './group-input.ts'
import type { GroupRow } from './provided-groups.ts'
import type { PersonRow } from './provided-people.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** A person as a SCIM user. @param base the URL of this SCIM endpoint */
export function userResource(base: string, person: PersonRow): Attributes {
  const { id, externalId, userName, name, givenName, familyName, email } = person
  return {
    schemas: [USER],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    displayName: name,
    name: { formatted: name, ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
    emails: [{ value: email, type: 'work', primary: true }],
    active: person.deactivatedAt === null,
    meta: {
      resourceType: 'User',
      created: person.createdAt,
      lastModified: person.updatedAt,
      location: `${base}/Users/${id}`,
    },
  }
}

/** A group as a SCIM group. @param members undefined if not requested */
export function groupResource(base: string, group: GroupRow, members: readonly Member[] | undefined): Attributes {
  const { id, externalId, displayName, createdAt, updatedAt } = group
  return {
    schemas: [GROUP],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && { members: members.map((member) => ({ ...member, $ref: `${base}/Users/${member.value}` })) }),
    meta: { resourceType: 'Group', created: createdAt, lastModified: updatedAt, location: `${base}/Groups/${id}` },
  }
}

/** The capabilities of this server (RFC 7643, 5). */
export const serviceProviderConfig = (base: string, maxResults: number) => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that the owner of the workspace creates in the administration.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypes = (base: string) =>
  [
    { id: 'User', endpoint: '/Users', schema: USER, description: 'People' },
    { id: 'Group', endpoint: '/Groups', schema: GROUP, description: 'Groups of people' },
  ].map((type) => ({
    schemas: [RESOURCE_TYPE],
    name: type.id,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))

/** The description of an attribute in a schema (RFC 7643, 7). */
const attribute = (name: string, more: Attributes = {}): Attributes => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

export const schemas = (base: string) =>
  [
    {
      id: USER,
      name: 'User',
      description: 'A person',
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('displayName'),
        attribute('name', {
          type: 'complex',
          subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
        }),
        attribute('emails', {
          type: 'complex',
          multiValued: true,
          subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
        }),
        attribute('active', { type: 'boolean' }),
      ],
    },
    {
      id: GROUP,
      name: 'Group',
      description: 'A group of people',
      attributes: [
        attribute('displayName', { required: true }),
        attribute('members', {
          type: 'complex',
          multiValued: true,
          subAttributes: [
            attribute('value', { mutability: 'immutable' }),
            attribute('$ref', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
            attribute('display', { mutability: 'readOnly' }),
            attribute('type', { mutability: 'immutable', canonicalValues: ['User'] }),
          ],
        }),
      ],
    },
  ].map((schema) => ({
    schemas: [SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
