import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createPasswordReset } from '#contract/password'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { CreatedLink } from './created-link.tsx'

/** Creates a link with which somebody sets a new password. */
export function PasswordLinkDialog({ person, onClose }: { person: Account; onClose: () => void }) {
  const [endsSecondFactor, setEndsSecondFactor] = useState(false)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(createPasswordReset, { params: { userId: person.id }, body: { endsSecondFactor } }),
    onError: (failure) => console.error('Failed to create a password link:', failure),
  })
  return (
    <Dialog
      title={t('identity.passwordLink.title')}
      action={
        data ? undefined : (
          <Button variant="pine" isBusy={isPending} onClick={() => mutate()}>
            {t('identity.passwordLink.create')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <div className="px-6 pt-1 pb-4">
        <p className="text-pretty text-soft">
          {rich('identity.passwordLink.text', { name: <bdi>{person.name}</bdi> })}
        </p>
        {person.hasSecondFactor && !data && (
          <div className="mt-4">
            <Checkbox
              label={t('identity.passwordLink.secondFactor')}
              hint={t('identity.passwordLink.secondFactorHint')}
              checked={endsSecondFactor}
              onChange={({ target }) => setEndsSecondFactor(target.checked)}
            />
          </div>
        )}
        {error && (
          <p role="alert" className="mt-3 text-danger text-ui">
            {failureText(t('identity.passwordLink.failed'), error)}
          </p>
        )}
        {data && <CreatedLink path={`${paths.newPassword}#${data.code}`} label={t('identity.passwordLink.label')} />}
      </div>
    </Dialog>
  )
}
