import { AtSign, CalendarClock, SendHorizontal } from 'lucide-react'
import type { RefObject } from 'react'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { keysLabel } from '../../../ui/device/key-label.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { insertAtCaret } from '../editor/edit-text.ts'
import { FormatButton } from '../editor/format-row.tsx'
import { AttachButton } from './attach-button.tsx'
import { ComposerEmoji } from './emoji-button.tsx'
import { alsoToChannel, newLineHint } from './lazy-parts.ts'
import type { UnsentMessage } from './unsent-message.ts'

interface Props {
  message: UnsentMessage
  channel: Channel
  isReply: boolean
  textarea: RefObject<HTMLTextAreaElement | null>
  fileInput: RefObject<HTMLInputElement | null>
  /** Undefined where no files can be attached. */
  onFiles: ((files: File[]) => void) | undefined
}

/** The row of buttons below the text. */
export function ComposerTools({ message, channel, isReply, textarea, fileInput, onFiles }: Props) {
  const { text, canSend, send, schedule } = message
  const insert = (piece: string) => textarea.current && insertAtCaret(textarea.current, piece)

  function mention() {
    const isInWord = /[\p{L}\p{N}]$/u.test(text.slice(0, textarea.current?.selectionStart))
    // Within a word it would mention nobody.
    insert(isInWord ? ' @' : '@')
  }

  const sendName = isReply ? t('messages.composer.sendReply') : t('messages.composer.send')
  return (
    <>
      <div className="composer-tools flex items-center gap-0.5 ps-2 pe-1.5 pt-0.5 pb-1.5 short:pt-0 short:pb-0.5">
        {onFiles && <AttachButton input={fileInput} onFiles={onFiles} />}
        <ComposerEmoji onPick={insert} />
        <IconButton name={t('messages.composer.mention')} onMouseDown={keepFocus} onClick={mention}>
          <AtSign size={16} />
        </IconButton>
        <FormatButton />
        {text.length >= 2 && !isTouch() && <Lazy load={newLineHint} isOptional />}
        <IconButton
          name={isReply ? t('scheduled.sendReplyLater') : t('scheduled.sendLater')}
          keys="Mod+Shift+Enter"
          disabled={!canSend}
          onMouseDown={keepFocus}
          onClick={schedule}
          className="ms-auto disabled:pointer-events-none disabled:text-faint disabled:opacity-60"
        >
          <CalendarClock size={16} />
        </IconButton>
        <button
          type="button"
          aria-label={sendName}
          data-tip={sendName}
          data-keys={keysLabel('Enter')}
          disabled={!canSend}
          onMouseDown={keepFocus}
          onClick={send}
          className="grid h-[30px] w-[38px] place-items-center rounded-s bg-pine text-on-pine transition-colors hover:bg-pine-strong disabled:bg-press disabled:text-faint pointer-coarse:disabled:bg-transparent pointer-coarse:h-11 pointer-coarse:w-12"
        >
          <SendHorizontal size={16} className="rtl:-scale-x-100" />
        </button>
      </div>
      {message.also && (
        <Lazy load={alsoToChannel} waiting={<div className="h-8" />} channel={channel} {...message.also} />
      )}
    </>
  )
}
