import { createHmac } from 'node:crypto'

/** The code of a link in a mail: the same for the same purpose, and nobody's guess. */
export type LinkCode = (purpose: string) => string

const CODE_BYTES = 16

/**
 * Codes follow from the secret, so the queue of mails, and whoever reads the database, has none of them. A purpose names a row
 * by its id: `password 0199…`.
 */
export const createLinkCodes =
  (secret: string): LinkCode =>
  (purpose) =>
    createHmac('sha256', secret).update(`link ${purpose}`).digest().subarray(0, CODE_BYTES).toString('base64url')
