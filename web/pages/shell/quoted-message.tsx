import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Message } from '#contract/messages'
import { type MessagePlace, messagePath } from '#contract/quotes'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import { useIsDeleted } from '../../features/messages/actions/pending-deletions.ts'
import { AttachedFiles } from '../../features/messages/content/attached-files.tsx'
import { MessageText } from '../../features/messages/content/message-text.tsx'
import { QuoteLoader } from '../../features/messages/content/quote-loader.ts'
import { useQuoted } from '../../features/messages/content/use-quoted.ts'
import { Shortened } from '../../features/messages/row/shortened.tsx'
import { isStreaming } from '../../features/messages/sync/answer-progress.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { shownName } from '../../people/shown-name.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { wholeTime } from '../../ui/format/clock-time.ts'
import { shortTime } from '../../ui/format/short-time.ts'

/** A message that another one quotes, as it is now, if I may read it. Lazy-loaded. */
export default function QuotedMessage({ channelId, messageId }: MessagePlace) {
  const { message, hasFailed } = useQuoted({ channelId, messageId })
  return (
    <div
      data-quoted=""
      className="mt-1.5 mb-2 min-h-11 w-fit min-w-0 max-w-full border-line-strong border-s-[3px] ps-3 first:mt-0.5 last:mb-0.5"
    >
      {message ? (
        <Content message={message} />
      ) : (
        <p className="py-2.5 text-faint text-ui italic">{sentence(message === null, hasFailed)}</p>
      )}
    </div>
  )
}

function sentence(isGone: boolean, hasFailed: boolean) {
  if (isGone) return t('messages.quote.gone')
  return hasFailed ? t('messages.quote.failed') : t('ui.loading')
}

function Content({ message }: { message: Message }) {
  const isDeleted = useIsDeleted(message)
  return (
    <>
      <Head message={message} />
      {isDeleted ? (
        <p className="text-faint text-ui italic">{t('messages.row.deleted')}</p>
      ) : (
        <QuoteLoader value={undefined}>
          <Body message={message} />
        </QuoteLoader>
      )}
    </>
  )
}

/** Who wrote it, where unless that is here, and when. */
function Head({ message: { id: messageId, channelId, threadId, user, createdAt } }: { message: Message }) {
  const me = useMe()
  const { channelId: here } = useParams()
  const { data: channels } = useQuery(allChannels)
  const channel = channels?.[channelId]
  const name = shownName(user.name)
  return (
    <p className="flex min-h-6 items-center gap-1.5 leading-4">
      <Avatar id={user.id} name={name} color={user.color} size="xs" />
      <bdi className="truncate font-[620] text-ui">{name}</bdi>
      {channel && channelId !== here && (
        <bdi className="min-w-0 flex-[0_1_auto] truncate text-meta text-soft">{titleOf(channel, me.id)}</bdi>
      )}
      {threadId !== null && <span className="flex-none text-meta text-soft">{t('messages.quote.inThread')}</span>}
      <Link
        to={messagePath({ channelId, messageId })}
        aria-label={t('messages.quote.show', { time: wholeTime(createdAt) })}
        title={wholeTime(createdAt)}
        className="relative flex-none text-faint text-meta tabular-nums hover:text-ink hover:underline pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      >
        <time dateTime={createdAt}>{shortTime(createdAt)}</time>
      </Link>
    </p>
  )
}

function Body({ message }: { message: Message }) {
  const me = useMe()
  const { content, mentions, broadcast, files } = message
  if (isStreaming(message)) return <p className="text-faint text-ui">{t('messages.row.thinking')}</p>
  return (
    <>
      {content !== '' && (
        <Shortened size="m">
          <MessageText content={content} mentions={mentions} broadcast={broadcast} meId={me.id} />
        </Shortened>
      )}
      {content === '' && files.length === 0 && (
        <p className="text-faint text-ui italic">{t('messages.row.fileDeleted')}</p>
      )}
      {files.length > 0 && <AttachedFiles files={files} />}
    </>
  )
}
