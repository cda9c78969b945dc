import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { serverSettings } from './administration-queries.ts'

/** The settings of the environment, which only the server's operator can change. */
export function SettingsList() {
  const { data, error, refetch } = useQuery(serverSettings)
  useEffect(() => {
    if (error) console.error('Failed to load settings:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('serverSettings.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  return (
    <dl tabIndex={0} className="max-w-2xl rounded-s text-ui">
      {data.map(({ name, value, isSet }) => (
        <div
          key={name}
          className="grid gap-x-4 border-line border-t py-2 first:border-t-0 wide:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <dt>
            <code dir="ltr" className="text-meta">
              {name}
            </code>
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            {value === null ? (
              <span className="text-faint">{isSet ? t('serverSettings.secret') : t('serverSettings.unset')}</span>
            ) : (
              <bdi dir="ltr">{value}</bdi>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
