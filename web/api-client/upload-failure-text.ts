import { t } from '../i18n/text.ts'
import { ApiError } from './api.ts'
import { reasonText, withFullStop } from './failure-text.ts'

/** Why an upload failed, in the specification's words. */
export function uploadFailureText(error: unknown, isPublic: boolean): string {
  if (!(error instanceof ApiError)) return t('failures.upload')
  if (error.status === 401) return t('failures.uploadSignedOut')
  if (error.status === 404 && isPublic) return t('failures.uploadNoBucket')
  const why = reasonText(error)
  return why ? t('failures.uploadBecause', { why: withFullStop(why) }) : t('failures.upload')
}
