import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { foldKeyword } from '#contract/keywords'
import { limits } from '#contract/limits'
import { changeKeywords, KEYWORDS_AT_ONCE } from '#contract/notifications'
import { ApiError, call } from '../../api-client/api.ts'
import { explainFailure, refusalText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { notificationSettings } from './settings-queries.ts'

type Change = { add: string[] } | { remove: string[] }

const wordsIn = (typed: string) =>
  typed
    .split(/[,،、，]/)
    .map((word) => word.trim())
    .filter(Boolean)

/** Why the server refused one, by a name that people know. */
function explain(error: unknown) {
  const [problem] = error instanceof ApiError ? Object.values(error.reply?.problems ?? {}) : []
  const text = problem && refusalText(problem.reason, { ...problem.values, field: t('notifications.keywords.one') })
  return text ?? explainFailure(t('notifications.keywords.failed'), error)
}

/** The words of which I am notified: adds and removes them at once. */
export function KeywordsForm({ keywords }: { keywords: readonly string[] }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  const change = useMutation({
    mutationFn: (body: Change) => call(changeKeywords, { body }),
    networkMode: 'always',
    // One after the other.
    scope: { id: 'keywords' },
    onSuccess: (saved) => client.setQueryData(notificationSettings.queryKey, (now) => now && { ...now, ...saved }),
    onError: (error, made) => {
      console.error('Failed to save my keywords:', error)
      setFailure(explain(error))
      if ('add' in made) setTyped((now) => (now === '' ? made.add.join(', ') : now))
    },
  })

  const max = limits.keywords.length
  const words = wordsIn(typed)
  const isTooLong = words.some((word) => foldKeyword(word).length > max)
  const problem = isTooLong ? t('notifications.keywords.tooLong', { max }) : failure

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (words.length === 0 || isTooLong) return
    setTyped('')
    setFailure(undefined)
    change.mutate({ add: words.slice(0, KEYWORDS_AT_ONCE) })
  }

  return (
    <section>
      <form onSubmit={submit}>
        <Field
          ref={field}
          label={t('notifications.keywords.title')}
          placeholder={t('notifications.keywords.placeholder')}
          hint={t('notifications.keywords.hint')}
          error={problem}
          dir="auto"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setFailure(undefined)
          }}
          after={
            <Button type="submit" variant="line" className="-me-2 h-7" isBusy={words.length === 0}>
              {t('notifications.keywords.add')}
            </Button>
          }
        />
      </form>
      {keywords.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-1.5" aria-label={t('notifications.keywords.title')}>
          {keywords.map((word) => (
            <li key={word} className="flex max-w-full items-center rounded-m border border-line bg-sunk ps-2.5 text-ui">
              <bdi className="min-w-0 truncate py-1">{word}</bdi>
              <IconButton
                name={t('notifications.keywords.removeOne', { word })}
                onClick={() => {
                  change.mutate({ remove: [word] })
                  // Its button is about to disappear.
                  field.current?.focus()
                }}
              >
                <X size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
