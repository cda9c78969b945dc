import { Quote, X } from 'lucide-react'
import type { Message } from '#contract/messages'
import { placeIn } from '#contract/quotes'
import { t } from '../../../i18n/text.ts'
import { shownName } from '../../../people/shown-name.ts'
import { plainText } from '../../../ui/format/plain-text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { useQuoted } from './use-quoted.ts'

interface Props {
  /** As written in the text. */
  quotes: readonly string[]
  onRemove: (quote: string) => void
}

/** The messages that a text being written quotes, each in a line. Lazy-loaded. */
export default function QuoteTray({ quotes, onRemove }: Props) {
  return (
    <ul aria-label={t('messages.quote.tray')} className="flex flex-col gap-1.5 px-3 pt-3">
      {quotes.map((quote) => (
        <Line key={quote} quote={quote} onRemove={() => onRemove(quote)} />
      ))}
    </ul>
  )
}

/** Of a link that is none. */
const NOWHERE = { channelId: '', messageId: '' }

function Line({ quote, onRemove }: { quote: string; onRemove: () => void }) {
  const { message, hasFailed } = useQuoted(placeIn(quote) ?? NOWHERE)
  const name = message ? shownName(message.user.name) : ''
  return (
    <li className="flex min-h-8 min-w-0 items-center gap-2 rounded-m border border-line bg-paper ps-2 pe-0.5 text-ui">
      <Quote size={14} className="flex-none text-pine" />
      <bdi className="max-w-[40%] flex-none truncate font-[620] empty:hidden">{name}</bdi>
      <bdi className="min-w-0 flex-1 truncate text-soft">
        {message === undefined ? hasFailed && t('messages.quote.failed') : excerptOf(message)}
      </bdi>
      <IconButton
        name={name ? t('messages.quote.removeFrom', { name }) : t('messages.quote.remove')}
        onMouseDown={keepFocus}
        onClick={({ currentTarget }) => {
          // The button disappears.
          currentTarget.closest('ul')?.parentElement?.querySelector('textarea')?.focus()
          onRemove()
        }}
      >
        <X size={14} />
      </IconButton>
    </li>
  )
}

function excerptOf(message: Message | null) {
  if (message === null) return t('messages.quote.gone')
  if (message.deletedAt) return t('messages.row.deleted')
  return plainText(message.content) || message.files.map(({ name }) => name).join(t('ui.listComma'))
}
