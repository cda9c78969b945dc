import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { ChannelBeginning } from '../../features/channels/beginning/channel-beginning.tsx'
import { isWithAssistant, sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import type { ChannelAct } from '../../features/channels/menu/channel-menu.tsx'
import { changeText } from '../../features/messages/editor/edit-text.ts'
import { focusComposer } from '../../features/messages/outbox/open-conversations.ts'
import { assistantAbilities } from '../../features/messages/read-aloud/assistant-abilities.ts'
import { isWindow } from '../../features/messages/sync/message-queries.ts'
import type { MessageWindow } from '../../features/messages/sync/message-window.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { examplesFor, filledIn, searchExamples, topicOf } from './example-questions.ts'

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
  const client = useQueryClient()
  const { data: channels } = useQuery(sharedChannels)
  const { data: abilities } = useQuery(assistantAbilities)
  const [topic] = useState(() => topicOf(shownContents(client)))
  if (!abilities) return null
  const questions = abilities.model ? examplesFor(channels ?? []) : searchExamples(channels ?? [], topic)

  /** Writes a question into the composer, replacing another example or following typed text. */
  function write(question: string) {
    focusComposer(channelId)
    const { activeElement: field } = document
    if (!(field instanceof HTMLTextAreaElement)) return
    const { value } = field
    const { text, caret } = filledIn(question)
    const from = questions.map((other) => filledIn(other).text).includes(value) ? 0 : value.length
    const start = from > 0 ? 1 : 0
    const at = from + start + caret
    changeText(field, { from, to: value.length, text: '\n'.repeat(start) + text, select: [at, at] })
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

/** The messages of conversations that were on screen. */
const shownContents = (client: QueryClient) =>
  client
    .getQueriesData<MessageWindow>({ predicate: isWindow })
    .flatMap(([, window]) => window?.messages ?? [])
    .filter(({ userId }) => userId !== ASSISTANT)
    .map(({ content }) => content)
