import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createClaim, type ImportState, type UnclaimedPerson } from '#contract/imports'
import { limits } from '#contract/limits'
import { call, isRefusal } from '../../api-client/api.ts'
import { reasonText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { copyText } from '../../ui/device/copy-text.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Button } from '../../ui/input/button.tsx'
import { unclaimed } from './import-queries.ts'

/** Imported people whom nobody has signed in as, each with their link. */
export function UnclaimedList({ state }: { state: ImportState | undefined }) {
  const { data, refetch } = useQuery(unclaimed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an import that moves on brings or removes people
  useEffect(() => {
    void refetch()
  }, [state])
  const copying = useMutation({
    mutationFn: async ({ id }: UnclaimedPerson) => {
      const { code } = await call(createClaim, { params: { userId: id } })
      await copyText(`${window.location.origin}${paths.newPassword}#${code}`)
    },
    onSuccess: () => showToast(t('imports.copied')),
    onError: (problem) => {
      console.error('Failed to copy claim link:', problem)
      showToast((isRefusal(problem) && reasonText(problem)) || t('imports.actFailed'))
    },
  })
  if (!data || data.total === 0 || state === 'running' || state === 'undoing') return null
  return (
    <section aria-label={t('imports.unclaimedTitle')} className="mt-8 border-line border-t pt-6">
      <h3 className="font-[620] text-body">{t('imports.unclaimedTitle')}</h3>
      <p className="mt-1 mb-3 max-w-prose text-pretty text-soft text-ui">
        {t('imports.unclaimedHint', { days: limits.imports.claimDays })}
      </p>
      <ul>
        {data.people.map((person) => (
          <li
            key={person.id}
            className="flex min-h-11 items-center gap-3 border-line border-t py-1.5 text-ui first:border-t-0"
          >
            <Avatar id={person.id} name={person.name} size="m" />
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-[550]">{person.name}</bdi>
              <span className="block truncate text-faint text-meta">
                {[`@${person.username}`, person.email].filter(Boolean).join(' · ')}
              </span>
            </span>
            <Button
              variant="line"
              aria-label={t('imports.copyLinkOf', { name: person.name })}
              isBusy={copying.isPending && copying.variables?.id === person.id}
              onClick={() => copying.mutate(person)}
            >
              {t('imports.copyLink')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
