/** Sentences for the error codes of a failed hosted sign-in, given the provider's name. */
const sentences: Record<string, (name: string) => string> = {
  access_denied: () => 'Sign-in was cancelled',
  account_not_linked: (name) =>
    `An account with your email exists, and ${name} hasn't verified this address. Sign in with your password.`,
  email_not_found: (name) => `${name} didn't share your email address, which Parley needs`,
  state_mismatch: () => 'Sign-in timed out. Try again.',
  state_not_found: () => 'Sign-in timed out. Try again.',
  DEACTIVATED: () => 'This account has been deactivated',
  SIGN_UP_CLOSED: () => "This workspace isn't accepting new sign-ups",
  INVITE_NEEDED: () => 'You need an invite link to join. Ask the owner of this workspace for one.',
  INVITE_ENDED: () => 'This invite link has expired or been used up. Ask the person who sent it for a new one.',
}

/** A sentence for an error code. The code comes from the URL, which anyone can forge, so only known codes are used. */
export function hostedErrorText(code: string, name: string): string {
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return known ? known(name) : `Signing in with ${name} didn't work. Try again in a moment.`
}
