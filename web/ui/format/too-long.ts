import { t } from '../../i18n/text.ts'

/** @param count the number of characters over the limit */
export const tooLongText = (count: number) => t('ui.tooLong', { count })
