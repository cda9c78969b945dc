import type { FastifyRequest } from 'fastify'

export const PREFIX = '/api/scim/v2'

/** The URL of SCIM as used by this request. */
export const baseOf = ({ caller }: FastifyRequest) => `${caller.origin}${PREFIX}`
