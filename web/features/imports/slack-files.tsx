import type { ImportPlan } from '#contract/imports'
import { t } from '../../i18n/text.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SlackToken } from './slack-token.tsx'

/** Whether to fetch what an archive of Slack only names, and with which token. */
export interface SlackChoice {
  isFetched: boolean
  token: string
}

interface Props {
  linked: NonNullable<ImportPlan['linked']>
  choice: SlackChoice
  /** Why the token was refused. */
  problem: string | undefined
  onChoose: (choice: SlackChoice) => void
}

export function SlackFiles({ linked, choice, problem, onChoose }: Props) {
  return (
    <>
      <p className="mb-3 max-w-prose text-pretty text-soft text-ui">
        {linked.files > 0
          ? t('imports.slack.linked', { count: linked.files, size: fileSize(linked.bytes) })
          : t('imports.slack.noneLinked')}
      </p>
      <Checkbox
        label={t('imports.slack.fetch')}
        checked={choice.isFetched}
        onChange={({ target }) => onChoose({ ...choice, isFetched: target.checked })}
      />
      {choice.isFetched && (
        <div className="mt-3 max-w-md">
          <SlackToken
            note={t('signUp.optional')}
            value={choice.token}
            error={problem}
            onChange={(token) => onChoose({ ...choice, token })}
          />
        </div>
      )}
    </>
  )
}
