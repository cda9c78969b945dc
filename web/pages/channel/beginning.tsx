import { useQuery } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { ChannelBeginning } from '../../features/channels/beginning/channel-beginning.tsx'
import { isWithAssistant, sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import type { ChannelAct } from '../../features/channels/menu/channel-menu.tsx'
import { changeText } from '../../features/messages/editor/edit-text.ts'
import { focusComposer } from '../../features/messages/outbox/open-conversations.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { examplesFor, writtenForm } from './example-questions.ts'

interface Props {
  channel: Channel
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The beginning of a conversation; with the assistant, examples of what to ask. Lazy-loaded. */
export default function Beginning({ channel, onAct }: Props) {
  return (
    <ChannelBeginning channel={channel} onAct={onAct}>
      {isWithAssistant(channel) && <ExampleQuestions channelId={channel.id} />}
    </ChannelBeginning>
  )
}

function ExampleQuestions({ channelId }: { channelId: string }) {
  const { data: channels } = useQuery(sharedChannels)
  const questions = examplesFor(channels ?? [])

  /** Writes a question into the composer, replacing another example or following typed text. */
  function write(question: string) {
    focusComposer(channelId)
    const { activeElement: field } = document
    if (!(field instanceof HTMLTextAreaElement)) return
    const { value } = field
    const text = writtenForm(question)
    const from = questions.map(writtenForm).includes(value) ? 0 : value.length
    changeText(field, { from, to: value.length, text: from > 0 ? `\n${text}` : text })
  }

  return (
    <ul aria-label={t('assistant.examples')} className="mt-4 flex flex-wrap gap-2">
      {questions.map((question) => (
        <li key={question} className="max-w-full">
          <Button
            variant="line"
            className="h-auto! min-h-8 max-w-full rounded-full! py-1 text-start [overflow-wrap:anywhere] whitespace-normal!"
            onClick={() => write(question)}
          >
            {question}
          </Button>
        </li>
      ))}
    </ul>
  )
}
