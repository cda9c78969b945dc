import { t } from '../../../i18n/text.ts'

const widths = ['w-2/3', 'w-1/2', 'w-5/6', 'w-1/3', 'w-3/5']

/** Shown while the messages load. */
export function MessageSkeletons() {
  return (
    <div
      role="status"
      className="flex min-h-0 conversation-column flex-1 flex-col justify-end gap-5 overflow-hidden px-(--gutter) pb-4"
    >
      <p className="text-center text-faint text-meta">{t('messages.list.loading')}</p>
      {widths.map((width) => (
        <div key={width} aria-hidden="true" className="flex animate-pulse gap-3">
          <span className="size-9 flex-none rounded-[10px] bg-press" />
          <span className="flex flex-1 flex-col gap-2 pt-1">
            <span className="h-3 w-32 rounded-s bg-press" />
            <span className={`h-3 rounded-s bg-press ${width}`} />
          </span>
        </div>
      ))}
    </div>
  )
}
