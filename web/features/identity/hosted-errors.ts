/** What the provider's way back says when it failed, in a person's words; `name` is the provider's. */
const words: Record<string, (name: string) => string> = {
  access_denied: () => 'You came back without signing in',
  account_not_linked: (name) =>
    `There is an account with your e-mail address, and ${name} does not vouch for the address. Sign in with your password`,
  email_not_found: (name) => `${name} did not tell your e-mail address, which Parley needs`,
  state_mismatch: () => 'That took too long, or began in another browser. Try again',
  state_not_found: () => 'That took too long, or began in another browser. Try again',
  DEACTIVATED: () => 'This account was deactivated',
  SIGN_UP_CLOSED: () => 'Nobody can sign up here at present',
  INVITE_NEEDED: () => 'Signing up takes an invite link; ask whoever looks after this workspace',
  INVITE_ENDED: () => 'This invite link has ended; ask for another one',
}

/** The code comes from the address, which anybody can write: only known ones are shown as what they mean. */
export function hostedErrorText(code: string, name: string): string {
  const known = Object.hasOwn(words, code) ? words[code] : undefined
  return known ? known(name) : `Signing in with ${name} did not work. Try again in a moment`
}
