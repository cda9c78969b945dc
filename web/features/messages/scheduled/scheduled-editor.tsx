import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { limits } from '#contract/limits'
import { joinQuotes, splitQuotes } from '#contract/quotes'
import { contentOf } from '#contract/text'
import { ApiError } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { Button } from '../../../ui/input/button.tsx'
import { isComposing } from '../../../ui/input/is-composing.ts'
import { addToDraft, editScheduled } from '../actions/scheduled-actions.ts'
import { type ScheduledEdit, setScheduledEdit } from '../actions/scheduled-edits.ts'
import { QuotesAbove } from '../content/quotes-above.tsx'
import { useAutoHeight } from '../editor/edit-text.ts'
import { formatByKey, pasteLink, useListContinuation } from '../editor/editor-keys.ts'
import { FormatButton, FormatRow } from '../editor/format-row.tsx'
import { useSuggestions } from '../suggestions/use-suggestions.tsx'

interface Props {
  edit: ScheduledEdit
  onClose: () => void
}

const small = 'h-7 px-2.5 pointer-coarse:h-11'

/** How what is written is saved. */
function useSaving({ edit: { item, text }, onClose }: Props) {
  const content = contentOf(text)
  const isChanged = content !== item.content
  const excess = content.length - limits.messageContent
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: () => editScheduled(item, content),
    onSuccess: onClose,
    onError(failure) {
      console.error('Failed to edit a scheduled message:', failure)
      if (!(failure instanceof ApiError && failure.status === 404)) return
      // It was sent or cancelled: what was written is kept elsewhere.
      addToDraft({ ...item, content })
      showToast(t('scheduled.editInDrafts'))
      onClose()
    },
  })
  const canSave = !isPending && excess <= 0 && (content !== '' || item.files.length > 0)
  function save() {
    if (!isChanged) onClose()
    else if (canSave) mutate()
  }
  const failure = error ? explainFailure(t('scheduled.changeFailed'), error) : undefined
  return { isChanged, canSave, save, problem: excess > 0 ? tooLongText(excess) : failure }
}

/** Edits the text of a scheduled message in its row. Enter saves, Escape cancels unless something was changed. */
export function ScheduledEditor({ edit, onClose }: Props) {
  const { item, text } = edit
  const { quotes, rest } = splitQuotes(text)
  const write = (next: string) => setScheduledEdit(item.id, { item, text: next })
  const { isChanged, canSave, save, problem } = useSaving({ edit, onClose })
  const textarea = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  useAutoHeight(textarea, text)
  useListContinuation(textarea)
  const suggestions = useSuggestions(textarea, item.channelId)
  useEffect(() => {
    const { current } = textarea
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.onKeyDown(event) || isComposing(event.nativeEvent) || formatByKey(event)) return
    const isSave = event.key === 'Enter' && !event.shiftKey && !isTouch()
    if (!isSave && (event.key !== 'Escape' || isChanged)) return
    event.preventDefault()
    event.stopPropagation()
    if (isSave) save()
    else onClose()
  }
  return (
    <div className="field-edge mt-1.5 rounded-l bg-raised">
      <FormatRow textarea={textarea} />
      <QuotesAbove text={text} onChange={write} />
      <textarea
        ref={textarea}
        rows={1}
        dir="auto"
        aria-label={t('scheduled.edit')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? noteId : undefined}
        value={rest}
        onChange={({ target }) => write(joinQuotes(quotes, target.value))}
        onKeyDown={onKeyDown}
        onPaste={pasteLink}
        onInput={suggestions.onInput}
        onBlur={suggestions.onBlur}
        {...suggestions.aria}
        className="field-sizing-content block max-h-(--most-text) w-full resize-none bg-transparent px-3 pt-2 pb-1 outline-none"
      />
      {suggestions.list}
      <div className="flex flex-wrap items-center justify-end gap-1.5 px-1.5 pb-1.5">
        <FormatButton />
        <p id={noteId} role={problem && 'alert'} className="min-w-0 flex-1 basis-24 text-danger text-meta">
          {problem}
        </p>
        <Button className={small} onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button variant="pine" className={small} disabled={!canSave} onClick={save}>
          {t('ui.save')}
        </Button>
      </div>
    </div>
  )
}
