import { Square, Volume2 } from 'lucide-react'
import { t } from '../../../i18n/text.ts'
import type { Action } from '../actions/message-actions.ts'
import { prefetchSpeech, type useAloud } from '../read-aloud/read-aloud.ts'
import { ChipButton } from './chip-button.tsx'

interface Props {
  action: Action
  phase: ReturnType<typeof useAloud>
}

/** Starts and stops reading aloud: below answers of the assistant, and below the message that is being read. */
export function ReadAloudButton({ action, phase }: Props) {
  return (
    <ChipButton
      isOn={phase !== undefined}
      aria-pressed={phase !== undefined}
      aria-busy={phase === 'loading'}
      data-tip={phase ? t('messages.actions.stopReading') : t('messages.actions.readAloud')}
      data-keys={action.key}
      onPointerEnter={prefetchSpeech}
      onFocus={prefetchSpeech}
      onClick={({ currentTarget }) => action.run(currentTarget)}
    >
      <StateIcon phase={phase} />
      {t('messages.actions.readAloud')}
    </ChipButton>
  )
}

function StateIcon({ phase }: Pick<Props, 'phase'>) {
  if (phase === 'playing') return <Square size={15} className="scale-70 fill-current" />
  if (phase === 'loading')
    return <span className="size-3.75 scale-80 animate-spin rounded-full border-2 border-line-strong border-t-pine" />
  return <Volume2 size={15} />
}
