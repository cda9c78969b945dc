import { type Attributes, lowerKeys } from './attributes.ts'
import { ScimError } from './scim-error.ts'

export const MAX_PAGE = 200
const DEFAULT_PAGE = 100
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The requested part of a list. */
export interface Page {
  /** From 0. */
  offset: number
  limit: number
}

/** Reads `startIndex` and `count` (RFC 7644, 3.4.2.4). @throws ScimError 400 */
export function readPage(query: Attributes): Page {
  const number = (name: string, fallback: number) => {
    const given = query[name]
    if (given === undefined) return fallback
    if (typeof given !== 'string' || !/^-?\d{1,9}$/.test(given))
      throw new ScimError(400, `${name} must be a whole number.`, 'invalidValue')
    return Number(given)
  }
  return {
    offset: Math.max(1, number('startIndex', 1)) - 1,
    limit: Math.min(MAX_PAGE, Math.max(0, number('count', DEFAULT_PAGE))),
  }
}

export const listOf = (resources: Attributes[], totalResults: number, { offset }: Page) => ({
  schemas: [LIST],
  totalResults,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Attributes that are always returned (RFC 7643, 7: "returned": "always"). */
const ALWAYS = ['schemas', 'id', 'meta']

/** Applies `attributes` and `excludedAttributes`, by the names of top-level attributes. */
export function select(resource: Attributes, query: Attributes): Attributes {
  const names = (given: unknown) =>
    typeof given === 'string'
      ? given.split(',').map(
          (name) =>
            name
              .trim()
              .toLowerCase()
              .replace(/^urn:.*:/, '')
              .split('.')[0] as string,
        )
      : undefined
  const [wanted, unwanted] = [names(query['attributes']), names(query['excludedAttributes'])]
  const isShown = (name: string) =>
    ALWAYS.includes(name) || (wanted ? wanted.includes(name) : !unwanted?.includes(name))
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name.toLowerCase())))
}

/** Whether a query excludes an attribute, so that it need not be read. */
export const leavesOut = (query: Attributes, name: string) => lowerKeys(select({ [name]: true }, query)).size === 0
