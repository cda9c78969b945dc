import { t } from '../../../i18n/text.ts'

interface Props {
  retry: () => void
}

/** Shown in place of a list of conversations that failed to load. */
export const ListError = ({ retry }: Props) => (
  <p role="alert" className="px-2 py-1 text-danger">
    {t('channels.list.failed')}{' '}
    <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
      {t('ui.tryAgain')}
    </button>
  </p>
)
