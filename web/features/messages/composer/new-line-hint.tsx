import { useEffect, useRef, useState } from 'react'
import { rich } from '../../../i18n/text.ts'
import { readItem, saveItem } from '../../../ui/device/local-storage.ts'

const KEY = 'parley.newLines'
/** Hidden once the key was used this often. */
const MAX_USES = 3

const storedUses = () => Number(readItem(KEY)) || 0

/** Shows the key for a new line until it has been used a few times on this device. Lazy-loaded. */
export default function NewLineHint() {
  const [uses, setUses] = useState(storedUses)
  const hint = useRef<HTMLParagraphElement>(null)
  const isKnown = uses >= MAX_USES
  useEffect(() => {
    const card = hint.current?.closest('.composer-card')
    const count = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || !event.shiftKey || event.isComposing) return
      saveItem(KEY, String(storedUses() + 1))
      setUses((before) => Math.max(before + 1, storedUses()))
    }
    card?.addEventListener('keydown', count)
    return () => card?.removeEventListener('keydown', count)
  }, [])
  return (
    !isKnown && (
      // Where it does not fit, it wraps out of view.
      <p
        ref={hint}
        className="flex h-[1lh] min-w-0 flex-1 animate-appear flex-wrap justify-end overflow-hidden px-2 text-faint text-meta before:h-[1lh] before:w-px"
      >
        <span className="whitespace-nowrap">
          {rich('messages.composer.newLineHint', { b: (keys) => <strong className="font-[600]">{keys}</strong> })}
        </span>
      </p>
    )
  )
}
