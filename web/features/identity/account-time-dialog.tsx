import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mutePerson, setGuestEnd } from '#contract/moderation'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { refetchAccounts } from './identity-queries.ts'

const DAY = 24
/** In hours. */
const spans = { mute: [1, 8, DAY, 7 * DAY, 30 * DAY], extend: [7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY] } as const

interface Props {
  person: Account
  act: 'mute' | 'extend'
  onClose: () => void
}

/** Chooses how long somebody is muted, or how long a guest stays. */
export function AccountTimeDialog({ person, act, onClose }: Props) {
  const client = useQueryClient()
  const [hours, setHours] = useState<number>(act === 'mute' ? DAY : 30 * DAY)
  const params = { userId: person.id }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      act === 'mute'
        ? call(mutePerson, { params, body: { hours } })
        : call(setGuestEnd, { params, body: { days: hours / DAY } }),
    onSuccess: onClose,
    onError: (failure) => console.error(`Failed to change an account (${act}):`, failure),
    onSettled: () => refetchAccounts(client),
  })
  const name = <bdi>{person.name}</bdi>
  return (
    <Dialog
      title={act === 'mute' ? t('identity.mute.title') : t('identity.extend.title')}
      action={
        <Button variant={act === 'mute' ? 'danger' : 'pine'} isBusy={isPending} onClick={() => mutate()}>
          {act === 'mute' ? t('identity.mute.action') : t('identity.extend.action')}
        </Button>
      }
      onClose={onClose}
    >
      <div className="px-6 pt-1 pb-4 max-wide:px-(--gutter)">
        <p className="mb-4 text-pretty text-soft">
          {act === 'mute' ? rich('identity.mute.text', { name }) : rich('identity.extend.text', { name })}
        </p>
        <Select
          label={t('identity.time.label')}
          options={spans[act].map((span) => ({ value: String(span), name: spanName(span) }))}
          value={String(hours)}
          onChange={(value) => setHours(Number(value))}
        />
        {error && (
          <p role="alert" className="mt-3 text-danger text-ui">
            {explainFailure(t('identity.time.failed'), error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const spanName = (hours: number) =>
  hours < DAY ? t('identity.time.hours', { hours }) : t('identity.time.days', { days: hours / DAY })
