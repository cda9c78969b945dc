import { t } from '../../i18n/text.ts'

/** Between two ways to go on. */
export const OrLine = () => (
  <div className="my-5 flex items-center gap-3 text-faint text-meta">
    <span className="h-px flex-1 bg-line" />
    {t('signIn.or')}
    <span className="h-px flex-1 bg-line" />
  </div>
)
