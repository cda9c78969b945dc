import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { MessageText } from '../content/message-text.tsx'

/** Puts the 'edited' note after a single paragraph on its last line. */
const inline = '[&>.prose:has(>p:only-child:dir(ltr))]:inline [&>.prose>p:only-child:dir(ltr)]:inline'

interface Props {
  id: string
  message: Message
  meId: string
  /** Resumes an unsaved edit; undefined if there is none. */
  onResumeEdit: (() => void) | undefined
  /** Shows what it said before it was edited; undefined where that is not offered. */
  onHistory?: ((anchor: HTMLElement) => void) | undefined
}

/** The text of a message, whether it was edited, and whether I have an unsaved edit of it. */
export function MessageBody({ id, message, meId, onResumeEdit, onHistory }: Props) {
  const { content, files, mentions, broadcast, editedAt } = message
  return (
    <div id={id} className={`message-text relative z-1 ${editedAt || onResumeEdit ? inline : ''}`}>
      {content !== '' && <MessageText content={content} mentions={mentions} broadcast={broadcast} meId={meId} />}
      {content === '' && files.length === 0 && <p className="text-faint italic">{t('messages.row.fileDeleted')}</p>}
      {editedAt && (
        <>
          {' '}
          <EditedNote editedAt={editedAt} onHistory={onHistory} />
        </>
      )}
      {onResumeEdit && (
        <>
          {' '}
          <button
            type="button"
            className="font-[550] text-micro text-pine hover:underline pointer-coarse:py-3.5"
            onClick={onResumeEdit}
          >
            {t('messages.edit.unsaved')}
          </button>
        </>
      )}
    </div>
  )
}

interface NoteProps extends Pick<Props, 'onHistory'> {
  editedAt: string
}

/** A button for the pointer, not a tab stop: the menu of the row offers the same. */
function EditedNote({ editedAt, onHistory }: NoteProps) {
  const title = t('messages.edit.editedAt', { time: wholeTime(editedAt) })
  const text = t('messages.edit.edited')
  if (!onHistory)
    return (
      <span className="text-faint text-micro" title={title}>
        {text}
      </span>
    )
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-haspopup="dialog"
      className="text-faint text-micro hover:text-ink hover:underline pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      title={title}
      onMouseDown={keepFocus}
      onClick={({ currentTarget }) => onHistory(currentTarget)}
    >
      {text}
    </button>
  )
}
