import type { AppError } from '../errors.ts'

/** The error types of RFC 7644, 3.12. */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** An error in SCIM's format, which directories show to their administrators. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue')
export const invalidPath = (detail: string) => new ScimError(400, detail, 'invalidPath')
export const noSuch = (kind: string, id: string) => new ScimError(404, `${kind} ${id.slice(0, 80)} does not exist.`)
export const taken = (detail: string) => new ScimError(409, detail, 'uniqueness')

/** The body of an error response. */
export function errorBody(error: ScimError | AppError) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(error instanceof ScimError && error.scimType && { scimType: error.scimType }),
    detail: error.message,
  }
}
