import type { Channel } from '#contract/channels'
import { t } from '../../i18n/text.ts'

/** Three questions that the assistant can answer, about the channels in which I missed most. */
export function examplesFor(channels: readonly Pick<Channel, 'name' | 'isMember' | 'unread'>[]) {
  const [missed, other = missed] = channels
    .filter(({ isMember }) => isMember)
    .sort((a, b) => (b.unread ?? 0) - (a.unread ?? 0))
    .map(({ name }) => `#${name}`)
  return [
    missed ? t('assistant.example.missedIn', { channel: missed }) : t('assistant.example.missed'),
    other ? t('assistant.example.decidedIn', { channel: other }) : t('assistant.example.decided'),
    t('assistant.example.unanswered'),
  ]
}

/** A question as it is typed: without the marks that isolate names in the other direction. */
export const writtenForm = (question: string) => question.replace(/[\u2068\u2069]/g, '')
