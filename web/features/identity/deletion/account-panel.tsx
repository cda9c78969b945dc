import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { myDeletion } from './deletion-query.ts'

const dialog = () => import('./delete-account-dialog.tsx')

/** Offers to delete my account, or says why I cannot. */
export function AccountPanel() {
  const { data, error, refetch } = useQuery(myDeletion)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (error) console.error('Failed to load whether the account can be deleted:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('ui.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  return (
    <>
      <h4 className="font-[600] text-ui">{t('identity.deletion.title')}</h4>
      <p className="mt-1 text-pretty text-soft text-ui">{t('identity.deletion.text')}</p>
      {data.obstacle ? (
        <p className="mt-3 text-pretty rounded-m bg-sunk px-3 py-2.5 text-ui">
          {data.obstacle === 'owner' ? t('identity.deletion.owner') : t('identity.deletion.directory')}
        </p>
      ) : (
        <Button
          variant="line"
          aria-haspopup="dialog"
          className="mt-3 text-danger! pointer-coarse:h-11"
          onClick={() => setOpen(true)}
        >
          {t('identity.deletion.action')}
        </Button>
      )}
      {isOpen && <LazyDialog load={dialog} onClose={() => setOpen(false)} />}
    </>
  )
}
