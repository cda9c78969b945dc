import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Import } from '#contract/imports'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { shortDate } from '../../ui/format/short-date.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { imports, isClosed } from './import-queries.ts'
import { productName } from './import-texts.ts'
import { ImportUpload } from './import-upload.tsx'
import { OpenImport } from './open-import.tsx'
import { UnclaimedList } from './unclaimed-list.tsx'

/** The open import or a place to drop an archive, people who have to claim their account, and earlier imports. */
export function ImportPanel() {
  const client = useQueryClient()
  const { data: all, error, refetch } = useQuery(imports)
  useEffect(() => {
    if (error) console.error('Failed to load imports:', error)
  }, [error])
  const refresh = useMutation({ mutationFn: () => client.invalidateQueries({ queryKey: imports.queryKey }) })
  if (!all && error) return <LoadError text={t('imports.loadFailed')} retry={() => void refetch()} />
  if (!all) return <SkeletonRows />
  const open = all.find((each) => !isClosed(each))
  const closed = all.filter(isClosed)
  return (
    <div className="max-w-2xl">
      {open ? (
        <OpenImport key={open.id} item={open} onChanged={() => refresh.mutate()} />
      ) : (
        <>
          <p className="mb-4 max-w-prose text-pretty text-soft text-ui">{t('imports.hint')}</p>
          <ImportUpload onUploaded={() => refresh.mutate()} />
        </>
      )}
      <UnclaimedList state={open?.state} />
      {closed.length > 0 && (
        <section aria-label={t('imports.earlier')} className="mt-8 border-line border-t pt-6">
          <h3 className="mb-2 font-[620] text-body">{t('imports.earlier')}</h3>
          <ul>
            {closed.map((each) => (
              <EarlierRow key={each.id} item={each} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function EarlierRow({ item: { fileName, format, state, createdAt } }: { item: Import }) {
  const outcome =
    state === 'accepted'
      ? t('imports.state.accepted')
      : state === 'undone'
        ? t('imports.state.undone')
        : t('imports.state.cancelled')
  return (
    <li className="flex min-h-11 items-center gap-3 border-line border-t py-1.5 text-ui first:border-t-0">
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-[550]">{fileName}</bdi>
        <span className="block text-faint text-meta">
          {[productName(format), shortDate(createdAt)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="text-soft">{outcome}</span>
    </li>
  )
}
