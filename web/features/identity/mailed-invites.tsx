import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { CallOf } from '#contract/endpoint'
import { mailInvites } from '#contract/invites'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { liveInvites, signInWays } from './identity-queries.ts'

type Offer = Pick<CallOf<typeof mailInvites>['body'], 'days' | 'guests'>

interface Props {
  isIncomplete: boolean
  /** Reads how long the invites last, and for which guests they are. */
  read: () => Offer
}

const max = limits.invite.mails
const addressesIn = (text: string) => [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
const isAddress = (text: string) => /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,190}$/.test(text)

function problemIn(addresses: readonly string[]) {
  const wrong = addresses.find((it) => !isAddress(it))
  if (wrong) return t('identity.invites.notAnAddress', { text: wrong })
  return addresses.length > max ? t('identity.invites.tooMany', { max }) : undefined
}

/** Sends invites to addresses, if there is a mail server. */
export function MailedInvites({ isIncomplete, read }: Props) {
  const id = useId()
  const client = useQueryClient()
  const { data: ways } = useQuery(signInWays)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const sending = useMutation({
    mutationFn: ({ days, guests }: Offer) => call(mailInvites, { body: { emails: addressesIn(text), days, guests } }),
    onSuccess: () => setText(''),
    onError: (error) => console.error('Failed to mail invites:', error),
    onSettled: () => client.invalidateQueries({ queryKey: liveInvites.queryKey }),
  })
  if (!ways?.sendsMail) return null

  function send() {
    const found = problemIn(addressesIn(text))
    setProblem(found)
    if (!found) sending.mutate(read())
  }

  const failed = sending.error ? failureText(t('identity.invites.sendFailed'), sending.error) : undefined
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1.5 block font-[550] text-ui">
        {t('identity.invites.byMail')}
      </label>
      <div className="flex items-start gap-2 max-wide:flex-col">
        <textarea
          id={id}
          dir="ltr"
          rows={2}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={6000}
          placeholder={t('identity.invites.addresses')}
          aria-describedby={`${id}-note`}
          aria-invalid={problem ? true : undefined}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setProblem(undefined)
            sending.reset()
          }}
          className="field-edge min-h-16 w-full min-w-0 flex-1 resize-y rounded-m bg-paper px-3 py-2 text-ui outline-none"
        />
        <Button
          variant="line"
          className="flex-none max-wide:w-full"
          disabled={isIncomplete || text.trim() === ''}
          isBusy={sending.isPending}
          onClick={send}
        >
          {t('identity.invites.send')}
        </Button>
      </div>
      <Note id={`${id}-note`} problem={problem ?? failed} sent={sending.data?.length} />
    </div>
  )
}

interface NoteProps {
  id: string
  problem: string | undefined
  /** How many invites were mailed. */
  sent: number | undefined
}

function Note({ id, problem, sent }: NoteProps) {
  const hint =
    sent === undefined ? t('identity.invites.addressesHint', { max }) : t('identity.invites.sent', { count: sent })
  return (
    <p
      id={id}
      role={problem ? 'alert' : 'status'}
      className={`mt-1.5 text-pretty text-meta ${problem ? 'text-danger' : 'text-soft'}`}
    >
      {problem ?? hint}
    </p>
  )
}
