import { t } from '../../i18n/text.ts'

/** @param count how many characters are too many */
export const tooLongText = (count: number) => t('ui.tooLong', { count })
