import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ASSISTANT } from '#contract/ids'
import { countOwnedChannels, deactivateUser, type Profile } from '#contract/users'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { UserPicker } from '../../people/user-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { RadioGroup } from '../../ui/input/radio-group.tsx'
import { refetchAccounts } from './identity-queries.ts'

interface Props {
  person: Account
  onClose: () => void
}

/** How many channels somebody owns, and in how many of them nobody else has written. */
const ownedChannels = (userId: string) =>
  queryOptions({
    queryKey: ['owned-channels', userId] as const,
    queryFn: () => call(countOwnedChannels, { params: { userId } }),
    staleTime: 0,
    retry: false,
    networkMode: 'always',
  })

type Choice = 'keep' | 'handOver' | 'delete'

/** Asks before somebody is deactivated, and what happens to the channels they own. */
export function DeactivateDialog({ person, onClose }: Props) {
  const client = useQueryClient()
  const [choice, setChoice] = useState<Choice>('keep')
  const [heirs, setHeirs] = useState<Profile[]>([])
  const owned = useQuery(ownedChannels(person.id))
  const heirId = choice === 'handOver' ? heirs[0]?.id : undefined
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      call(deactivateUser, {
        params: { userId: person.id },
        body: { ...(heirId && { heirId }), deletesChannels: choice === 'delete' },
      }),
    // Without a connection it fails, instead of waiting for one.
    networkMode: 'always',
    onSuccess: onClose,
    onError: (failure) => console.error('Failed to deactivate an account:', failure),
    onSettled: () => refetchAccounts(client),
  })
  const counts = owned.data

  return (
    <Dialog
      title={t('identity.accounts.deactivateTitle')}
      isQuestion
      action={
        <Button
          variant="danger"
          isBusy={isPending}
          disabled={owned.isPending || (choice === 'handOver' && !heirId)}
          onClick={() => mutate()}
        >
          {t('identity.accounts.deactivate')}
        </Button>
      }
      onClose={onClose}
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 pt-1 pb-4">
        <p className="text-pretty text-soft">
          {rich('identity.accounts.deactivateText', { name: <bdi>{person.name}</bdi> })}
        </p>
        {counts !== undefined && counts.owned > 0 && <ChannelChoice {...counts} choice={choice} onChoose={setChoice} />}
        {choice === 'handOver' && (
          <UserPicker
            without={new Set([person.id, ASSISTANT])}
            chosen={heirs}
            onChoose={setHeirs}
            maxChosen={1}
            offersMe
          />
        )}
        {owned.error && <LoadError text={t('identity.leaver.countFailed')} retry={() => owned.refetch()} />}
        {error && (
          <p role="alert" className="text-danger text-ui">
            {explainFailure(t('identity.accounts.deactivateFailed', { name: person.name }), error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface ChannelChoiceProps {
  owned: number
  leftover: number
  choice: Choice
  onChoose: (choice: Choice) => void
}

function ChannelChoice({ owned, leftover, choice, onChoose }: ChannelChoiceProps) {
  return (
    <>
      <RadioGroup
        legend={t('identity.leaver.owned', { owned })}
        name="leaver-channels"
        options={{
          keep: { name: t('identity.leaver.keep') },
          handOver: { name: t('identity.leaver.handOver') },
          delete: { name: t('identity.leaver.delete') },
        }}
        value={choice}
        onChoose={onChoose}
      />
      <Consequence choice={choice} leftover={leftover} />
    </>
  )
}

function Consequence({ choice, leftover }: { choice: Choice; leftover: number }) {
  const texts = {
    keep: () => t('identity.leaver.keepHint'),
    handOver: () => t('identity.leaver.handOverHint'),
    delete: () => t('identity.leaver.deleteHint', { leftover }),
  }
  return (
    <p
      role="status"
      className={`text-pretty text-ui ${choice === 'delete' && leftover > 0 ? 'text-danger' : 'text-soft'}`}
    >
      {texts[choice]()}
    </p>
  )
}
