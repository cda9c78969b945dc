import { CalendarClock, Clock, Copy, Paperclip, Pencil, Trash2, TriangleAlert, Undo2 } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { withQuoteLabels } from '#contract/quotes'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { refusalText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { copyWithToast } from '../../../ui/device/copy-text.ts'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'
import { Button } from '../../../ui/input/button.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { backToComposer, cancel, sendNow } from '../actions/scheduled-actions.ts'
import { setScheduledEdit, useScheduledEdit } from '../actions/scheduled-edits.ts'
import { ScheduledEditor } from './scheduled-editor.tsx'

interface Props {
  item: ScheduledMessage
  /** A conversation's title; null if it is gone for me, undefined if that is unknown. */
  titleOf: (channelId: string) => string | null | undefined
  onReschedule: (item: ScheduledMessage) => void
}

/** A scheduled message: where and when it is sent, or why it was not; its text can be edited here. */
export function ScheduledRow({ item, titleOf, onReschedule }: Props) {
  const edit = useScheduledEdit(item.id)
  const row = useRef<HTMLLIElement>(null)
  const title = titleOf(item.channelId)
  const isGone = title === null
  function stopEditing() {
    // The row itself disappears if its message was sent.
    const region = row.current?.closest<HTMLElement>('[data-region]')
    flushSync(() => setScheduledEdit(item.id))
    const target = row.current?.querySelector<HTMLElement>('[data-edit]') ?? region
    target?.focus()
  }
  return (
    <li ref={row} className="rounded-m border border-line bg-raised px-3.5 py-2.5">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-meta text-soft">
        <Place item={item} title={title ?? undefined} />
        <SendTime item={item} isGone={isGone} />
      </p>
      {edit ? (
        <ScheduledEditor edit={edit} onClose={stopEditing} />
      ) : (
        <>
          <Content item={item} />
          <Buttons item={item} isGone={isGone} onReschedule={onReschedule} />
        </>
      )}
    </li>
  )
}

function Place({
  item: { channelId, threadId, channelName, alsoToChannel },
  title,
}: {
  item: ScheduledMessage
  title: string | undefined
}) {
  const name = title ?? (channelName === null ? t('messages.unsent.unknown') : `#${channelName}`)
  const search = threadId ? `?thread=${threadId}` : ''
  return (
    <>
      {title === undefined ? (
        <bdi className="min-w-0 truncate font-[620] text-ink text-ui">{name}</bdi>
      ) : (
        <Link
          to={paths.channel(channelId) + search}
          className="min-w-0 truncate font-[620] text-pine text-ui hover:underline pointer-coarse:py-2.5"
        >
          <bdi>{name}</bdi>
        </Link>
      )}
      {threadId && <span className="flex-none text-faint">{t('messages.unsent.reply')}</span>}
      {alsoToChannel && <span className="flex-none text-faint">{t('scheduled.alsoToChannel')}</span>}
    </>
  )
}

/** When it is sent, or why it was not. */
function SendTime({ item: { sendAt, failure }, isGone }: { item: ScheduledMessage; isGone: boolean }) {
  const at = useLiveText(() => dueTime(sendAt))
  if (failure || isGone) {
    const why = failure ? refusalText(failure.reason, failure.values) : t('errors.scheduledNoMember')
    return (
      <span className="flex min-w-0 items-center gap-1 text-danger">
        <TriangleAlert size={13} className="flex-none" />
        {failure
          ? t('scheduled.notSentBecause', { why: why ?? t('scheduled.refused') })
          : t('scheduled.willNotBeSent', { why: why ?? '' })}
      </span>
    )
  }
  return (
    <span className="flex flex-none items-center gap-1">
      <Clock size={13} className="text-faint" />
      <time dateTime={sendAt} title={wholeTime(sendAt)}>
        {t('scheduled.sendsAt', { time: at })}
      </time>
    </span>
  )
}

const Content = ({ item: { content, files } }: { item: ScheduledMessage }) => (
  <>
    {content !== '' && (
      <p
        dir="auto"
        className="mt-1 max-h-[30dvh] overflow-y-auto whitespace-pre-wrap text-body text-ink leading-(--lh-body) [overflow-wrap:anywhere]"
      >
        {withQuoteLabels(content)}
      </p>
    )}
    {files.length > 0 && (
      <p className="mt-1.5 flex flex-wrap gap-1.5">
        <span className="sr-only">{t('messages.unsent.attached')} </span>
        {files.map(({ id, name }) => (
          <span key={id} className="flex max-w-full items-center gap-1.5 rounded-s bg-sunk px-2 py-1 text-soft text-ui">
            <Paperclip size={14} className="flex-none text-faint" />
            <bdi className="truncate">{name}</bdi>
          </span>
        ))}
      </p>
    )}
  </>
)

interface ButtonsProps {
  item: ScheduledMessage
  isGone: boolean
  onReschedule: (item: ScheduledMessage) => void
}

function Buttons({ item, isGone, onReschedule }: ButtonsProps) {
  /** The row disappears, so the focus moves first. */
  const leaving = (act: (item: ScheduledMessage) => Promise<boolean>) => (event: { currentTarget: HTMLElement }) => {
    const row = event.currentTarget.closest('li')
    const region = row?.closest<HTMLElement>('[data-region]')
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    void act(item).then((isDone) => {
      if (isDone) (next?.querySelector<HTMLElement>('button') ?? region)?.focus()
    })
  }
  return (
    <div className="-me-1.5 mt-1 flex flex-wrap items-center justify-end gap-1">
      {item.content !== '' && isGone && (
        <IconButton
          name={t('messages.actions.copyText')}
          onClick={() => copyWithToast(item.content, t('messages.copied.text'))}
        >
          <Copy size={16} />
        </IconButton>
      )}
      {!isGone && (
        <>
          <IconButton
            name={t('scheduled.edit')}
            data-edit=""
            onClick={() => setScheduledEdit(item.id, { item, text: item.content })}
          >
            <Pencil size={16} />
          </IconButton>
          <IconButton name={t('scheduled.changeTime')} onClick={() => onReschedule(item)}>
            <CalendarClock size={16} />
          </IconButton>
        </>
      )}
      <IconButton name={t('scheduled.toDrafts')} onClick={leaving(backToComposer)}>
        <Undo2 size={16} />
      </IconButton>
      <IconButton name={item.failure ? t('messages.outbox.discard') : t('scheduled.cancel')} onClick={leaving(cancel)}>
        <Trash2 size={16} />
      </IconButton>
      {!isGone && (
        <Button variant="line" className="ms-1 h-7 px-2.5 pointer-coarse:h-11" onClick={leaving(sendNow)}>
          {item.failure ? t('messages.outbox.retry') : t('scheduled.sendNow')}
        </Button>
      )}
    </div>
  )
}
