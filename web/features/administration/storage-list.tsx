import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { storageKinds } from '#contract/administration'
import { t } from '../../i18n/text.ts'
import { shownName } from '../../people/shown-name.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { fileSize } from '../../ui/format/file-size.ts'
import { Button } from '../../ui/input/button.tsx'
import { Segments } from '../../ui/input/segments.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { storagePages } from './administration-queries.ts'

/** Who uploaded most, and which channels hold most, largest first. */
export function StorageList() {
  const [by, setBy] = useState<(typeof storageKinds)[number]>('person')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(storagePages(by))
  useEffect(() => {
    if (error) console.error('Failed to load storage:', error)
  }, [error])
  const entries = data?.pages.flatMap((page) => page.entries)
  const hidden = data?.pages[0]?.hidden
  const most = entries?.[0]?.bytes ?? 1

  return (
    <div className="max-w-2xl">
      <Segments
        legend={t('storage.by')}
        name="storage-by"
        options={storageKinds.map((value) => ({
          value,
          label: value === 'person' ? t('storage.people') : t('storage.channels'),
        }))}
        value={by}
        onChange={setBy}
      />
      <div className="mt-4">
        {!entries && error && <LoadError text={t('storage.loadFailed')} retry={() => void refetch()} />}
        {!entries && !error && <SkeletonRows />}
        {entries?.length === 0 && hidden?.files === 0 && <p className="text-soft text-ui">{t('storage.none')}</p>}
        <ul aria-label={t('storage.title')}>
          {entries?.map(({ id, name, bytes, files }) => (
            <li key={id} className="border-line border-t py-2 text-ui first:border-t-0">
              <div className="flex items-baseline gap-3">
                <bdi className="min-w-0 flex-1 truncate font-[550]">
                  {by === 'channel' && name ? `#${name}` : shownName(name) || t('storage.noChannel')}
                </bdi>
                <span className="flex-none text-soft">{t('storage.files', { count: files })}</span>
                <span className="w-20 flex-none text-end tabular-nums">{fileSize(bytes)}</span>
              </div>
              <div aria-hidden="true" className="mt-1.5 h-1 rounded-full bg-sunk">
                <div
                  className="h-full rounded-full bg-pine"
                  style={{ width: `${Math.max(1, (bytes / most) * 100)}%` }}
                />
              </div>
            </li>
          ))}
        </ul>
        {hidden && hidden.files > 0 && (
          <p className="flex items-baseline gap-3 border-line border-t py-2 text-soft text-ui">
            <span className="min-w-0 flex-1">{by === 'channel' ? t('storage.hidden') : t('storage.gone')}</span>
            <span className="flex-none">{t('storage.files', { count: hidden.files })}</span>
            <span className="w-20 flex-none text-end tabular-nums">{fileSize(hidden.bytes)}</span>
          </p>
        )}
        {hasNextPage && (
          <Button variant="line" className="mt-3" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('storage.more')}
          </Button>
        )}
      </div>
    </div>
  )
}
