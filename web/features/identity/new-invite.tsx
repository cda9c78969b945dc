import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { type ComponentProps, type SubmitEvent, useState } from 'react'
import { createInvite } from '#contract/invites'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { copyText } from '../../ui/device/copy-text.ts'
import { Button } from '../../ui/input/button.tsx'
import { liveInvites } from './identity-queries.ts'

const { days, uses } = limits.invite

/** Creates an invite link. It is shown only now: the server stores no readable copy. */
export function NewInvite() {
  const client = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: { days: number; maxUses: number }) => call(createInvite, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: liveInvites.queryKey }),
    onError: (problem) => console.error('Failed to create invite:', problem),
  })

  function create(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    mutate({ days: Number(typed.get('days')), maxUses: Number(typed.get('maxUses')) })
  }

  return (
    <form onSubmit={create}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3 text-ui">
        {rich('identity.invites.newLink', {
          people: (
            <NumberField
              label={t('identity.invites.people')}
              name="maxUses"
              max={uses.max}
              defaultValue={uses.default}
            />
          ),
          days: (
            <NumberField label={t('identity.invites.days')} name="days" max={days.max} defaultValue={days.default} />
          ),
        })}
        <Button type="submit" variant="pine" className="max-wide:w-full" disabled={isPending}>
          {t('identity.invites.create')}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('identity.invites.createFailed'), error)}
        </p>
      )}
      {data && <CreatedLink key={data.id} link={`${window.location.origin}/invite/${data.code}`} />}
    </form>
  )
}

/** A number inside a sentence. */
function NumberField({ label, ...input }: ComponentProps<'input'> & { label: string }) {
  return (
    <span className="field-edge inline-flex h-8 w-14 rounded-s bg-paper pointer-coarse:h-11">
      <input
        type="number"
        aria-label={label}
        required
        min={1}
        className="[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none min-w-0 flex-1 bg-transparent text-center tabular-nums outline-none"
        {...input}
      />
    </span>
  )
}

function CreatedLink({ link }: { link: string }) {
  const [isCopied, setCopied] = useState<boolean>()

  const copy = () =>
    copyText(link).then(
      () => setCopied(true),
      (error) => {
        console.error('Failed to copy:', error)
        setCopied(false)
      },
    )

  return (
    <div className="mt-3 rounded-m bg-pine-wash p-3" role="status">
      <p className="mb-2 text-meta text-soft">{t('identity.invites.copyNow')}</p>
      <div className="flex items-center gap-2">
        <input
          readOnly
          dir="ltr"
          aria-label={t('identity.invites.link')}
          value={link}
          onFocus={({ target }) => target.select()}
          className="h-8 min-w-0 flex-1 truncate rounded-s bg-paper px-2 text-ui"
        />
        <Button autoFocus variant="line" className="pointer-coarse:h-11" onClick={copy}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? t('ui.copied') : t('ui.copy')}
        </Button>
      </div>
      {isCopied === false && <p className="mt-2 text-danger text-meta">{t('identity.invites.copyBlocked')}</p>}
    </div>
  )
}
