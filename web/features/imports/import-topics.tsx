import type { ImportPlan, TopicsAs } from '#contract/imports'
import { limits } from '#contract/limits'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

interface Props {
  topics: NonNullable<ImportPlan['topics']>
  choice: TopicsAs
  isReading: boolean
  /** Why reading it again has failed. */
  problem: string | undefined
  onChoose: (choice: TopicsAs) => void
  onReadAgain: () => void
}

/** What topics become. The report says the other thing until the archive is read again. */
export function ImportTopics({ topics: { count, as }, choice, isReading, problem, onChoose, onReadAgain }: Props) {
  if (count > limits.imports.topics)
    return (
      <p className="max-w-prose text-pretty text-soft text-ui">
        {t('imports.topics.tooMany', { count, max: limits.imports.topics })}
      </p>
    )
  return (
    <>
      <p className="mb-3 max-w-prose text-pretty text-soft text-ui">{t('imports.topics.hint', { count })}</p>
      <RadioGroup
        legend={t('imports.topics.become')}
        name="topics"
        options={{ threads: { name: t('imports.topics.threads') }, channels: { name: t('imports.topics.channels') } }}
        value={choice}
        onChoose={onChoose}
      />
      {choice !== as && (
        <Button variant="pine" className="mt-3" isBusy={isReading} onClick={onReadAgain}>
          {t('imports.topics.again')}
        </Button>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </>
  )
}
