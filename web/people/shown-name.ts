import { DELETED_NAME } from '#contract/deleted-accounts'
import { t } from '../i18n/text.ts'

/** A person's name on screen; the name of a deleted account is translated. */
export const shownName = (name: string) => (name === DELETED_NAME ? t('people.deletedAccount') : name)
