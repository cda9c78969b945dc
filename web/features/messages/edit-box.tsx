import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Message } from '#contract/messages'
import { Button } from '../../ui/button.tsx'
import { useEscape } from '../../ui/escape.ts'
import { markByKey, pasteLink, useListContinuation } from './composer-keys.ts'
import { useGrowth } from './composer-text.ts'
import { isComposing } from './composing.ts'
import { changeEdit, dropEdit, type Edit, excessOf, leaveEdit, saveEdit } from './edits.ts'
import { useSuggestions } from './use-suggestions.tsx'

const touch = matchMedia('(pointer: coarse)')

/** Changes the text of a message in its place. Enter saves; Escape leaves, and what was changed stays for later. Loaded late. */
export default function EditBox({ message, edit }: { message: Message; edit: Edit }) {
  const client = useQueryClient()
  const box = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  const { text, isSaving } = edit
  const excess = excessOf(text)
  const problem = excess > 0 ? `Too long by ${excess} ${excess === 1 ? 'character' : 'characters'}` : edit.problem
  const save = () => void saveEdit(client, message, edit)

  useFocusWhileOpen(box)
  useGrowth(box, text)
  useListContinuation(box)
  const suggestions = useSuggestions(box, message.channelId)
  // Also while the focus is elsewhere.
  useEscape('over', () => leaveEdit(message, edit))

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.onKeyDown(event) || isComposing(event) || markByKey(event)) return
    const saves = event.key === 'Enter' && !event.shiftKey && !touch.matches
    if (!saves && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (saves) save()
    else leaveEdit(message, edit)
  }

  return (
    <div className="py-1">
      <div className="field-edge rounded-l bg-raised">
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label="Edit message"
          aria-invalid={problem !== undefined}
          aria-describedby={problem && noteId}
          value={text}
          readOnly={isSaving}
          onChange={({ target }) => changeEdit(message, edit, target.value)}
          onKeyDown={onKeyDown}
          onPaste={pasteLink}
          onInput={suggestions.onInput}
          onBlur={suggestions.onBlur}
          {...suggestions.aria}
          className="field-sizing-content block max-h-[40dvh] w-full resize-none bg-transparent px-3 pt-2 pb-1 outline-none"
        />
        {suggestions.list}
        <div className="flex flex-wrap items-center justify-end gap-1.5 px-1.5 pb-1.5">
          <p
            id={noteId}
            role={problem && 'alert'}
            className={`min-w-0 flex-1 px-1.5 text-meta ${problem ? 'basis-60' : 'basis-24'}`}
          >
            {problem ? (
              <span className="text-danger">{problem}</span>
            ) : (
              <span className="text-faint pointer-coarse:hidden">Enter saves, Esc leaves</span>
            )}
          </p>
          <Button className="h-7 px-2.5 pointer-coarse:h-11" onClick={() => dropEdit(message)}>
            Cancel
          </Button>
          <Button
            look="pine"
            className="h-7 px-2.5 pointer-coarse:h-11"
            disabled={isSaving || excess > 0}
            onClick={save}
          >
            Save
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Takes the focus, and gives it back to what had it; to the row where that is gone. */
function useFocusWhileOpen(box: { current: HTMLTextAreaElement | null }) {
  useEffect(() => {
    const { current } = box
    const before = document.activeElement
    const row = current?.closest('article')
    const enter = () => {
      // Somebody may type in it already.
      if (document.activeElement === current) return
      current?.focus({ preventScroll: true })
      current?.setSelectionRange(current.value.length, current.value.length)
      current?.scrollIntoView({ block: 'nearest' })
    }
    enter()
    // A menu that it was opened from gives the focus back, after this.
    const frame = requestAnimationFrame(enter)
    return () => {
      cancelAnimationFrame(frame)
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const back = isThere ? before : row
      back?.focus({ preventScroll: true })
    }
  }, [box])
}
