import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { limits } from '#contract/limits'
import { setDraft, useDraft } from './drafts.ts'
import { enqueue } from './outbox.ts'

const touch = matchMedia('(pointer: coarse)')

/** The box to write in. Enter sends, Shift+Enter makes a line; under a finger Enter makes a line. */
export function Composer({ channelId }: { channelId: string }) {
  const { text, refusal } = useDraft(channelId)
  const box = useRef<HTMLTextAreaElement>(null)
  const content = text.trim()
  const excess = content.length - limits.messageContent
  const sendable = content !== '' && excess <= 0

  // Grows with what is in it, up to the maximum the style sets.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  function send() {
    if (!sendable) return
    setDraft(channelId, { text: '' })
    enqueue(channelId, content)
    box.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, Enter accepts its suggestion; some browsers say so only by key code 229.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || composing || touch.matches) return
    event.preventDefault()
    send()
  }

  return (
    <div className="px-(--gutter) pb-3 wide:pb-4">
      {(refusal || excess > 0) && (
        <p role="alert" className="pb-1.5 text-danger text-meta">
          {excess > 0 ? `Too long by ${excess} characters` : `Not sent: ${refusal}`}
        </p>
      )}
      <div className="field-edge rounded-l bg-raised">
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label="Message"
          placeholder="Type a message..."
          // biome-ignore lint/a11y/noAutofocus: opening a channel means wanting to write, where there is a keyboard
          autoFocus={!touch.matches}
          value={text}
          onChange={({ target }) => setDraft(channelId, { text: target.value })}
          onKeyDown={onKeyDown}
          className="block max-h-[40dvh] w-full resize-none bg-transparent px-4 pt-[11px] pb-1 outline-none"
        />
        <div className="flex items-center justify-end px-1.5 pb-1.5">
          <button
            type="button"
            aria-label="Send"
            title="Send (Enter)"
            disabled={!sendable}
            onClick={send}
            className="grid h-[30px] w-[38px] place-items-center rounded-s bg-pine text-on-pine transition-colors hover:bg-pine-strong disabled:bg-press disabled:text-faint"
          >
            <SendHorizontal size={16} />
          </button>
        </div>
      </div>
    </div>
  )
}
