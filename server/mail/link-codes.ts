import { createHmac } from 'node:crypto'

/** The unguessable code of a link in a mail; the same purpose always has the same code. */
export type LinkCode = (purpose: string) => string

const CODE_BYTES = 16

/**
 * Codes are derived from the secret, so they don't appear in the queue or elsewhere in the database. A purpose names a row by
 * its id: `password 0199…`.
 */
export const createLinkCodes =
  (secret: string): LinkCode =>
  (purpose) =>
    createHmac('sha256', secret).update(`link ${purpose}`).digest().subarray(0, CODE_BYTES).toString('base64url')
