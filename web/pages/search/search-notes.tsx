import { rich, t } from '../../i18n/text.ts'
import { tooLongText } from '../../ui/format/too-long.ts'
import { Button } from '../../ui/input/button.tsx'

export function NothingFound({ onEverywhere }: { onEverywhere: (() => void) | undefined }) {
  return (
    <>
      <p>{t('search.none')}</p>
      <p className="mt-1 text-faint text-meta">{onEverywhere ? t('search.noneFilteredHint') : t('search.noneHint')}</p>
      {onEverywhere && (
        <Button variant="line" className="mt-4" onClick={onEverywhere}>
          {t('search.everywhere')}
        </Button>
      )}
    </>
  )
}

export const TooLong = ({ excess }: { excess: number }) => (
  <p role="alert" className="text-danger">
    {tooLongText(excess)}
  </p>
)

export function Failed({ retry }: { retry: () => void }) {
  return (
    <p role="alert" className="px-4 py-2 text-center text-danger text-ui">
      {rich('search.failed', {
        retry: (text) => (
          <button type="button" className="font-[600] text-pine hover:underline" onClick={retry}>
            {text}
          </button>
        ),
      })}
    </p>
  )
}
