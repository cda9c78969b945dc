import type { FastifyRequest } from 'fastify'

export const PREFIX = '/api/scim/v2'

/** The address of SCIM, as this request reached it. */
export const baseOf = ({ caller }: FastifyRequest) => `${caller.origin}${PREFIX}`
