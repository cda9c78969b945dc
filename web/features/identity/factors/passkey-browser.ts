import { t } from '../../../i18n/text.ts'

/** Why the browser gave no passkey, as a sentence. */
export class PasskeyProblem extends Error {}

/** Browsers have passkeys on https only, and for host names only. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** Loaded on demand, because few visits need it. */
const webAuthn = () => import('@simplewebauthn/browser')

type Json = Record<string, unknown>

/** Lets the browser create a passkey. @throws PasskeyProblem */
export async function createPasskey(options: Json): Promise<Json> {
  const { startRegistration } = await webAuthn()
  return startRegistration({ optionsJSON: options as never }).catch((error: Error) => {
    console.error('Failed to create a passkey:', error)
    throw new PasskeyProblem(t(error.name === 'InvalidStateError' ? 'passkeys.known' : 'passkeys.cancelled'))
  }) as Promise<unknown> as Promise<Json>
}

/** Lets the browser sign with a passkey. @throws PasskeyProblem */
export async function askForPasskey(options: Json): Promise<Json> {
  const { startAuthentication } = await webAuthn()
  const optionsJSON = { ...options, userVerification: 'required' }
  return startAuthentication({ optionsJSON: optionsJSON as never }).catch((error: Error) => {
    console.error('Failed to sign with a passkey:', error)
    throw new PasskeyProblem(t('signIn.passkey.cancelled'))
  }) as Promise<unknown> as Promise<Json>
}
