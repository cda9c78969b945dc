import data from '@emoji-mart/data'
import i18n from '@emoji-mart/data/i18n/en.json'
import { Picker } from 'emoji-mart'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isTouch } from '../device/media.ts'
import { isComposing } from '../input/is-composing.ts'
import { countEmoji } from './emoji-counts.ts'
import styles from './emoji-picker.css?inline'
import { addRoles } from './emoji-picker-roles.ts'
import { showRecentsOf } from './emoji-recents.ts'

interface Props {
  /** The user whose recent picks come first; several people may use one browser. */
  person: string
  /** By default the theme of the page. */
  theme?: 'light' | 'dark'
  onPick: (native: string) => void
  /** Escape was pressed in an empty search field. */
  onClose: () => void
}

/** emoji-mart's picker with the specification's settings. It fills its parent. Load it lazily: 105 KB. */
export default function EmojiPicker({ person, theme, onPick, onClose }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const pick = useEffectEvent(onPick)
  const close = useEffectEvent(onClose)

  useEffect(() => {
    showRecentsOf(person)
    const onEmojiSelect = ({ native }: { native: string }) => {
      countEmoji(person, native)
      pick(native)
    }
    const picker = createPicker({ ...settings, theme: theme ?? 'auto', onEmojiSelect })
    const root = picker.shadowRoot as ShadowRoot
    const style = document.createElement('style')
    style.textContent = styles
    root.append(style)
    const stopAddingRoles = addRoles(root)
    // The picker stops all key events of its search field.
    const onKeyDown = (event: KeyboardEvent) => {
      const [field] = event.composedPath()
      if (event.key !== 'Escape' || isComposing(event)) return
      if (!(field instanceof HTMLInputElement) || field.type !== 'search' || field.value) return
      event.stopPropagation()
      close()
    }
    picker.addEventListener('keydown', onKeyDown, { capture: true })
    container.current?.append(picker)
    // After the surrounding dialog has set the focus. On touch devices the keyboard would cover the emoji.
    const frame = requestAnimationFrame(() => {
      if (!isTouch()) root.querySelector('input')?.focus()
    })
    return () => {
      cancelAnimationFrame(frame)
      stopAddingRoles()
      picker.remove()
    }
  }, [person, theme])

  return <div ref={container} data-theme={theme} className="size-full" />
}

/** The library's types do not say that it is an element. */
const createPicker = (props: object) => new Picker(props) as unknown as HTMLElement

const settings = {
  data,
  i18n: {
    ...i18n,
    search_no_results_1: 'No emoji found',
    search_no_results_2: 'Try another word',
    pick: 'Pick an emoji',
  },
  set: 'native',
  perLine: 9,
  maxFrequentRows: 4,
  emojiButtonSize: 36,
  emojiSize: 24,
  emojiButtonRadius: 'var(--r-s)',
  icons: 'outline',
  categories: ['frequent', 'people', 'nature', 'foods', 'activity', 'places', 'objects', 'symbols', 'flags'],
}
