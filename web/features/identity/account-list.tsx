import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/limits'
import type { Account } from '#contract/workspace'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { type AccountChange, AccountChangeDialog } from './account-change-dialog.tsx'
import { type AccountAct, AccountRow } from './account-row.tsx'
import { AccountTimeDialog } from './account-time-dialog.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { HandOverDialog } from './handover/hand-over-dialog.tsx'
import { HandoverState } from './handover/handover-state.tsx'
import { accountSearch } from './identity-queries.ts'
import { PasswordLinkDialog } from './password-link-dialog.tsx'

const isChange = (act: AccountAct): act is AccountChange =>
  !['deactivate', 'passwordLink', 'mute', 'extend', 'handOver'].includes(act)

/**
 * All accounts of the workspace, with menus of the actions that I may take.
 * @param isOnPage whether it is part of a page, not of a dialog that was opened to search
 */
export function AccountList({ isOnPage = false }: { isOnPage?: boolean }) {
  const [query, setQuery] = useState('')
  const [changing, setChanging] = useState<{ person: Account; act: AccountAct }>()
  const [problem, setProblem] = useState<string>()
  const sought = useDebounced(query.trim())
  const { data: people, error, refetch } = useQuery({ ...accountSearch(sought), placeholderData: keepPreviousData })
  useEffect(() => {
    if (error) console.error('Failed to load people:', error)
  }, [error])

  return (
    <>
      <HandoverState />
      <SearchField
        label={t('identity.accounts.search')}
        value={query}
        onChange={setQuery}
        maxLength={limits.query}
        isFocused={!isOnPage}
      />
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
            <AccountRow key={person.id} person={person} onAct={(act) => setChanging({ person, act })} />
          ))}
        </ul>
      </div>
      {changing?.act === 'passwordLink' && (
        <PasswordLinkDialog person={changing.person} onClose={() => setChanging(undefined)} />
      )}
      {(changing?.act === 'mute' || changing?.act === 'extend') && (
        <AccountTimeDialog person={changing.person} act={changing.act} onClose={() => setChanging(undefined)} />
      )}
      {changing?.act === 'handOver' && (
        <HandOverDialog person={changing.person} onClose={() => setChanging(undefined)} />
      )}
      {changing?.act === 'deactivate' && (
        <DeactivateDialog person={changing.person} onClose={() => setChanging(undefined)} />
      )}
      {changing && isChange(changing.act) && (
        <AccountChangeDialog
          person={changing.person}
          change={changing.act}
          onClose={() => setChanging(undefined)}
          onDone={setProblem}
        />
      )}
    </>
  )
}
