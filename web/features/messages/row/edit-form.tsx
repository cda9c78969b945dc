import { useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Message } from '#contract/messages'
import { joinQuotes, splitQuotes, withQuoteLabels } from '#contract/quotes'
import { t } from '../../../i18n/text.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { useEscape } from '../../../ui/dialog/escape.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { Button } from '../../../ui/input/button.tsx'
import { isComposing } from '../../../ui/input/is-composing.ts'
import { QuotesAbove } from '../content/quotes-above.tsx'
import { useAutoHeight } from '../editor/edit-text.ts'
import { formatByKey, pasteLink, useListContinuation } from '../editor/editor-keys.ts'
import { FormatButton, FormatRow } from '../editor/format-row.tsx'
import { pastedFiles } from '../editor/pasted-files.ts'
import { changeEdit, discardEdit, excessOf, hasConflict, leaveEdit, saveEdit } from '../outbox/edit-saving.ts'
import { type Edit, editStates, justOpened } from '../outbox/open-edits.ts'
import { useSuggestions } from '../suggestions/use-suggestions.tsx'

/** Edits a message in its row. Enter saves; Escape closes the form and keeps the changes as a draft. Lazy-loaded. */
export default function EditForm({ message, edit }: { message: Message; edit: Edit }) {
  const client = useQueryClient()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  const { quotes, rest: text } = splitQuotes(edit.text)
  const excess = excessOf(edit.text)
  const isDeleted = message.deletedAt !== null
  const problem = isDeleted ? t('messages.edit.deleted') : excess > 0 ? tooLongText(excess) : edit.problem
  const isConflict = hasConflict(message, edit)
  const save = () => void saveEdit(client, message, edit)

  useFocusWhenOpened(textarea, message.id)
  useAutoHeight(textarea, text)
  useListContinuation(textarea)
  const suggestions = useSuggestions(textarea, message.channelId)
  // Escape also works while the focus is elsewhere.
  useEscape('over', () => leaveEdit(message, edit))

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.onKeyDown(event) || isComposing(event.nativeEvent) || formatByKey(event)) return
    const isSave = event.key === 'Enter' && !event.shiftKey && !isTouch()
    if (!isSave && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (!isSave) leaveEdit(message, edit)
    // After a conflict the user chooses by button.
    else if (!isConflict && !isDeleted) save()
  }

  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    if (pastedFiles(event).length === 0) return pasteLink(event)
    event.preventDefault()
    showToast(t('messages.edit.noFiles'))
  }

  return (
    <div className="py-1">
      <div className="field-edge rounded-l bg-raised">
        <FormatRow textarea={textarea} />
        <QuotesAbove text={edit.text} onChange={(next) => changeEdit(message, next)} />
        <textarea
          ref={textarea}
          rows={1}
          dir="auto"
          aria-label={t('messages.edit.label')}
          aria-invalid={problem !== undefined || isConflict}
          aria-describedby={problem || isConflict ? noteId : undefined}
          value={text}
          readOnly={edit.isSaving}
          onChange={({ target }) => changeEdit(message, joinQuotes(quotes, target.value))}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onInput={suggestions.onInput}
          onBlur={suggestions.onBlur}
          {...suggestions.aria}
          className="field-sizing-content block max-h-(--most-text) w-full resize-none bg-transparent px-3 pt-2 pb-1 outline-none"
        />
        {suggestions.list}
        {isConflict ? (
          <Conflict id={noteId} message={message} edit={edit} problem={excess > 0 ? problem : undefined} />
        ) : (
          <SaveBar
            noteId={noteId}
            problem={problem}
            isDisabled={edit.isSaving === true || isDeleted || excess > 0}
            onSave={save}
            onCancel={() => discardEdit(message, edit)}
          />
        )}
      </div>
    </div>
  )
}

const small = 'h-7 px-2.5 pointer-coarse:h-11'

interface SaveBarProps {
  noteId: string
  problem: string | undefined
  isDisabled: boolean
  onSave: () => void
  onCancel: () => void
}

function SaveBar({ noteId, problem, isDisabled, onSave, onCancel }: SaveBarProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1.5 px-1.5 pb-1.5">
      <FormatButton />
      <p
        id={noteId}
        role={problem && 'alert'}
        className={`min-w-0 flex-1 text-meta ${problem ? 'basis-60' : 'basis-24'}`}
      >
        {problem ? (
          <span className="text-danger">{problem}</span>
        ) : (
          <span className="text-faint pointer-coarse:hidden">{t('messages.edit.hint')}</span>
        )}
      </p>
      <Button className={small} onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
      <Button variant="pine" className={small} disabled={isDisabled} onClick={onSave}>
        {t('ui.save')}
      </Button>
    </div>
  )
}

interface ConflictProps {
  id: string
  message: Message
  edit: Edit
  problem: string | undefined
}

/** Shows the text of a message that was changed elsewhere since the edit began, and lets the user choose a version. */
function Conflict({ id, message, edit, problem }: ConflictProps) {
  const client = useQueryClient()
  return (
    <div className="border-line border-t px-3 pt-2 pb-1.5 text-ui">
      <div id={id} role="alert">
        <p className="font-[550] text-danger">{t('messages.edit.conflict')}</p>
        <p
          dir="auto"
          className="mt-1 max-h-[30dvh] overflow-y-auto whitespace-pre-wrap border-line-strong border-s-2 ps-2.5 text-soft [overflow-wrap:anywhere]"
        >
          {withQuoteLabels(message.content)}
        </p>
        {problem && <p className="mt-1 text-danger">{problem}</p>}
      </div>
      <div className="-me-1.5 mt-1.5 flex flex-wrap justify-end gap-1.5">
        <Button className={small} onClick={() => discardEdit(message, edit)}>
          {t('messages.edit.discardMine')}
        </Button>
        <Button
          variant="pine"
          className={small}
          disabled={edit.isSaving || problem !== undefined}
          onClick={() => void saveEdit(client, message, edit, message)}
        >
          {t('messages.edit.saveMine')}
        </Button>
      </div>
    </div>
  )
}

/** Focuses the form when the user opens it, not when its row is rendered again. Restores the focus when it closes. */
function useFocusWhenOpened(textarea: { current: HTMLTextAreaElement | null }, id: string) {
  useEffect(() => {
    const { current } = textarea
    const before = document.activeElement
    const row = current?.closest('article')
    const enter = () => {
      // The user may be typing in it already.
      if (document.activeElement === current) return
      current?.focus({ preventScroll: true })
      current?.setSelectionRange(current.value.length, current.value.length)
      current?.scrollIntoView({ block: 'nearest' })
    }
    const isOpened = justOpened.delete(id)
    if (isOpened) enter()
    // If it was opened from a menu, the menu takes the focus back when it closes.
    const frame = isOpened ? requestAnimationFrame(enter) : 0
    return () => {
      cancelAnimationFrame(frame)
      // The form may still be open and only scrolled out of view, or the user may have moved the focus.
      if (editStates.get(id)?.isOpen || document.activeElement !== document.body) return
      const canRestore = before instanceof HTMLElement && before !== document.body && before.isConnected
      const target = canRestore && isOpened ? before : row
      target?.focus({ preventScroll: true })
    }
  }, [textarea, id])
}
