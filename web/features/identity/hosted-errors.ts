import { t } from '../../i18n/text.ts'

/** Sentences for the error codes of a failed hosted sign-in, given the provider's name. */
const sentences: Record<string, (provider: string) => string> = {
  access_denied: () => t('signIn.hosted.cancelled'),
  account_not_linked: (provider) => t('signIn.hosted.notLinked', { provider }),
  email_not_found: (provider) => t('signIn.hosted.noEmail', { provider }),
  state_mismatch: () => t('signIn.hosted.timedOut'),
  state_not_found: () => t('signIn.hosted.timedOut'),
  DEACTIVATED: () => t('signIn.hosted.deactivated'),
  SIGN_UP_CLOSED: () => t('signIn.hosted.closed'),
  OWNER_LINK_NEEDED: () => t('errors.ownerLinkNeeded'),
  INVITE_NEEDED: () => t('signUp.inviteText'),
  INVITE_ADDRESS: () => t('errors.inviteAddress'),
  INVITE_ENDED: () => t('signIn.hosted.inviteEnded'),
}

/** A sentence for an error code. The code comes from the URL, which anyone can forge, so only known codes are used. */
export function hostedErrorText(code: string, provider: string): string {
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return known ? known(provider) : t('signIn.hosted.failed', { provider })
}
