import type { Message } from '#contract/messages'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { MessageText } from '../content/message-text.tsx'

/** After a single paragraph the note about its change stands on its last line. */
const inline = '[&>.prose:has(>p:only-child:dir(ltr))]:inline [&>.prose>p:only-child:dir(ltr)]:inline'

interface Props {
  id: string
  message: Message
  meId: string
  /** Takes up an edit that was left unfinished. */
  onContinue: (() => void) | undefined
}

/** What somebody wrote, whether they changed it, and whether I left a change of it unfinished. */
export function MessageWords({ id, message, meId, onContinue }: Props) {
  const { content, files, mentions, broadcast, editedAt } = message
  return (
    <div id={id} className={`relative z-1 ${editedAt || onContinue ? inline : ''}`}>
      {content !== '' && <MessageText content={content} mentions={mentions} broadcast={broadcast} meId={meId} />}
      {content === '' && files.length === 0 && <p className="text-faint italic">The file was deleted</p>}
      {editedAt && (
        <>
          {' '}
          <span className="text-faint text-micro" title={`Edited ${wholeTime(editedAt)}`}>
            edited
          </span>
        </>
      )}
      {onContinue && (
        <>
          {' '}
          <button
            type="button"
            className="font-[550] text-micro text-pine hover:underline pointer-coarse:py-3.5"
            onClick={onContinue}
          >
            Unsaved edit
          </button>
        </>
      )}
    </div>
  )
}
