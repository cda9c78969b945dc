import { t } from '../i18n/text.ts'

/** Who may sign up, by the name of the rule. */
export function signUpName(mode: string): string {
  if (mode === 'open') return t('signUpRule.open')
  return mode === 'invite' ? t('signUpRule.invite') : t('signUpRule.closed')
}
