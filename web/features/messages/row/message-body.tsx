import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { MessageText } from '../content/message-text.tsx'

/** Puts the 'edited' note after a single paragraph on its last line. */
const inline = '[&>.prose:has(>p:only-child:dir(ltr))]:inline [&>.prose>p:only-child:dir(ltr)]:inline'

interface Props {
  id: string
  message: Message
  meId: string
  /** Resumes an unsaved edit; undefined if there is none. */
  onResumeEdit: (() => void) | undefined
}

/** The text of a message, whether it was edited, and whether I have an unsaved edit of it. */
export function MessageBody({ id, message, meId, onResumeEdit }: Props) {
  const { content, files, mentions, broadcast, editedAt } = message
  return (
    <div id={id} className={`message-text relative z-1 ${editedAt || onResumeEdit ? inline : ''}`}>
      {content !== '' && <MessageText content={content} mentions={mentions} broadcast={broadcast} meId={meId} />}
      {content === '' && files.length === 0 && <p className="text-faint italic">{t('messages.row.fileDeleted')}</p>}
      {editedAt && (
        <>
          {' '}
          <span className="text-faint text-micro" title={t('messages.edit.editedAt', { time: wholeTime(editedAt) })}>
            {t('messages.edit.edited')}
          </span>
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
