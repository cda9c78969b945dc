import { t } from '../../i18n/text.ts'

const widths = ['w-40', 'w-28', 'w-48', 'w-32']

/** Placeholders for rows of people. */
export function SkeletonRows() {
  return (
    <div role="status">
      <span className="sr-only">{t('ui.loading')}</span>
      {widths.map((width) => (
        <div key={width} className="flex h-11 animate-pulse items-center gap-3 px-3">
          <span className="size-7 rounded-m bg-press" />
          <span className={`h-3 rounded-full bg-press ${width}`} />
        </div>
      ))}
    </div>
  )
}
