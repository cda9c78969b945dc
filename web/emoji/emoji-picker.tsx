import data from '@emoji-mart/data'
import { Picker } from 'emoji-mart'
import { useEffect, useEffectEvent, useRef } from 'react'
import { direction, useLanguage } from '../i18n/language.ts'
import { t } from '../i18n/text.ts'
import { isTouch } from '../ui/device/media.ts'
import { isComposing } from '../ui/input/is-composing.ts'
import { currentEmoji } from './custom-emoji.ts'
import { countEmoji } from './emoji-counts.ts'
import styles from './emoji-picker.css?inline'
import { addRoles } from './emoji-picker-roles.ts'
import { showRecentsOf } from './emoji-recents.ts'
import { showInPicker, WORKSPACE_CATEGORY } from './picker-data.ts'

interface Props {
  /** The user whose recent picks come first; several people may use one browser. */
  person: string
  /** By default the theme of the page. */
  theme?: 'light' | 'dark'
  /** @param emoji of Unicode, or `:name:` */
  onPick: (emoji: string) => void
  /** Escape was pressed in an empty search field. */
  onClose: () => void
}

/** emoji-mart's picker with the specification's settings. It fills its parent. Load it lazily: 105 KB. */
export default function EmojiPicker({ person, theme, onPick, onClose }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const language = useLanguage()
  const pick = useEffectEvent(onPick)
  const close = useEffectEvent(onClose)

  // biome-ignore lint/correctness/useExhaustiveDependencies: contains texts of the language
  useEffect(() => {
    showRecentsOf(person)
    // Those of now: with others it would be built anew, and lose what is typed.
    showInPicker(currentEmoji())
    const onEmojiSelect = ({ id, native = `:${id}:` }: { id: string; native?: string }) => {
      countEmoji(person, native)
      pick(native)
    }
    const picker = createPicker({ ...settings, i18n: texts(), theme: theme ?? 'auto', onEmojiSelect })
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
  }, [person, theme, language])

  return <div ref={container} data-theme={theme} className="size-full" />
}

/** The library's types do not say that it is an element. */
const createPicker = (props: object) => new Picker(props) as unknown as HTMLElement

const settings = {
  data,
  set: 'native',
  perLine: 9,
  maxFrequentRows: 4,
  emojiButtonSize: 36,
  emojiSize: 24,
  emojiButtonRadius: 'var(--r-s)',
  icons: 'outline',
  categories: [
    'frequent',
    WORKSPACE_CATEGORY,
    'people',
    'nature',
    'foods',
    'activity',
    'places',
    'objects',
    'symbols',
    'flags',
  ],
}

/** The picker's texts, by the library's names. */
const texts = () => ({
  rtl: direction() === 'rtl',
  search: t('emoji.search'),
  search_no_results_1: t('emoji.noneFound'),
  search_no_results_2: t('emoji.noneFoundHint'),
  pick: t('emoji.pick'),
  categories: {
    activity: t('emoji.category.activity'),
    flags: t('emoji.category.flags'),
    foods: t('emoji.category.foods'),
    frequent: t('emoji.category.frequent'),
    nature: t('emoji.category.nature'),
    objects: t('emoji.category.objects'),
    people: t('emoji.category.people'),
    places: t('emoji.category.places'),
    search: t('emoji.searchResults'),
    symbols: t('emoji.category.symbols'),
    [WORKSPACE_CATEGORY]: t('emoji.category.workspace'),
  },
  skins: {
    choose: t('emoji.skin.choose'),
    1: t('emoji.skin.default'),
    2: t('emoji.skin.light'),
    3: t('emoji.skin.mediumLight'),
    4: t('emoji.skin.medium'),
    5: t('emoji.skin.mediumDark'),
    6: t('emoji.skin.dark'),
  },
})
