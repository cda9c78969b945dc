import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/limits'
import type { Account } from '#contract/workspace'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { AccountChangeDialog } from './account-change-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { accountSearch } from './identity-queries.ts'

/** All accounts of the workspace, with buttons to deactivate and reactivate them. */
export function AccountList() {
  const [query, setQuery] = useState('')
  const [changing, setChanging] = useState<Account>()
  const [problem, setProblem] = useState<string>()
  const sought = useDebounced(query.trim())
  const { data: people, error, refetch } = useQuery({ ...accountSearch(sought), placeholderData: keepPreviousData })
  useEffect(() => {
    if (error) console.error('Failed to load people:', error)
  }, [error])

  return (
    <>
      <SearchField label={t('identity.accounts.search')} value={query} onChange={setQuery} maxLength={limits.query} />
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
      <div className="-mx-3 mt-2 min-h-44">
        {!people && error && <LoadError text={t('identity.accounts.loadFailed')} retry={() => void refetch()} />}
        {!people && !error && <SkeletonRows />}
        {people?.length === 0 && (
          <p className="px-3 py-6 text-center text-soft text-ui">{t('identity.accounts.none')}</p>
        )}
        <ul aria-label={t('identity.accounts.title')}>
          {people?.map((person) => (
            <AccountRow key={person.id} person={person} onChange={() => setChanging(person)} />
          ))}
        </ul>
      </div>
      {changing && <AccountChangeDialog person={changing} onClose={() => setChanging(undefined)} onDone={setProblem} />}
    </>
  )
}
