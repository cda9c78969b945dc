import { DELETED_NAME } from '#contract/deleted-accounts'
import { t } from '../i18n/text.ts'

/** A person's name on screen: that of whoever deleted their account is in the language that is shown. */
export const shownName = (name: string) => (name === DELETED_NAME ? t('people.deletedAccount') : name)
