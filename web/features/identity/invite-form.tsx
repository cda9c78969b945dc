import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, type SubmitEvent, useRef } from 'react'
import type { CallOf } from '#contract/endpoint'
import { createInvite } from '#contract/invites'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/input/button.tsx'
import { CreatedLink } from './created-link.tsx'
import { liveInvites } from './identity-queries.ts'
import { MailedInvites } from './mailed-invites.tsx'

interface Props {
  /** Reads the invite from the form. */
  read: (typed: FormData) => CallOf<typeof createInvite>['body']
  /** The fields, before the button. */
  sentence: ReactNode
  isIncomplete?: boolean
  /** Whether the page has a more important button. */
  isAside?: boolean
  /** Above the sentence. */
  children?: ReactNode
}

/** Creates an invite link. It is shown only now: the server stores no readable copy. */
export function InviteForm({ read, sentence, isIncomplete = false, isAside = false, children }: Props) {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: ReturnType<Props['read']>) => call(createInvite, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: liveInvites.queryKey }),
    onError: (problem) => console.error('Failed to create invite:', problem),
  })

  function create(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    mutate(read(new FormData(event.currentTarget)))
  }

  return (
    <form ref={form} onSubmit={create}>
      {children}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3 text-ui">
        {sentence}
        <Button
          type="submit"
          variant={isAside ? 'line' : 'pine'}
          className="max-wide:w-full"
          disabled={isPending || isIncomplete}
        >
          {t('identity.invites.create')}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('identity.invites.createFailed'), error)}
        </p>
      )}
      {data && <CreatedLink key={data.id} path={paths.invite(data.code)} label={t('identity.invites.link')} />}
      <MailedInvites isIncomplete={isIncomplete} read={() => read(new FormData(form.current ?? undefined))} />
    </form>
  )
}

/** A number inside a sentence. */
export function NumberField({ label, ...input }: ComponentProps<'input'> & { label: string }) {
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
