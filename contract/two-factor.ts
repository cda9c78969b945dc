import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { limits } from './limits.ts'

const path = '/api/two-factor'
const { max } = limits.password

/** My password, to confirm a change of how I sign in. */
export const Confirmation = z.object({
  password: z.string().check(z.maxLength(max, fieldProblem('errors.tooLong', { max }))),
})

const RecoveryCodes = z.object({
  /** Each replaces an app's code once. Returned only now. */
  recoveryCodes: z.array(z.string()),
})

export const getTwoFactor = endpoint({
  method: 'GET',
  path,
  summary: 'Whether signing in with my password takes a code of an app, and how many recovery codes are left.',
  reply: z.object({ isOn: z.boolean(), codesLeft: z.int() }),
})

export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: `${path}/setup`,
  summary: 'Begin to set up an app for codes (TOTP). Nothing changes until `turnOnTwoFactor` has got a code of it.',
  body: Confirmation,
  status: 201,
  reply: z.object({
    /** For typing into the app, in Base32. */
    secret: z.string(),
    /** The same as an `otpauth:` URI, for a QR code. */
    uri: z.string(),
  }),
})

export const turnOnTwoFactor = endpoint({
  method: 'PUT',
  path,
  summary: 'From now on, signing in with my password takes a code of the app that was set up.',
  body: z.object({ code: z.string().check(z.maxLength(32, fieldProblem('errors.tooLong', { max: 32 }))) }),
  reply: RecoveryCodes,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: `${path}/recovery-codes`,
  summary: 'New recovery codes. The earlier ones end.',
  body: Confirmation,
  status: 201,
  reply: RecoveryCodes,
})

export const turnOffTwoFactor = endpoint({
  method: 'POST',
  path: `${path}/removal`,
  summary: 'Signing in with my password takes no code any more.',
  body: Confirmation,
  status: 204,
  reply: z.undefined(),
})
