import { Combobox } from '@base-ui/react/combobox'
import { Check, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { isTouch } from '../device/media.ts'
import { isComposing } from '../input/is-composing.ts'
import { ScrollSentinel } from './scroll-sentinel.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'

interface Props<T extends { id: string }> {
  label: string
  /** The options that match the query; undefined while unknown. They are rendered page by page as the user scrolls. */
  options: readonly T[] | undefined
  /** Whether they match the current query, not the previous one. */
  isSettled: boolean
  nameOf: (option: T) => string
  renderOption: (option: T) => ReactNode
  query: string
  onQuery: (query: string) => void
  chosen: T[]
  /** Rendered before the name of a chosen option. */
  renderMark?: (option: T) => ReactNode
  onChoose: (chosen: T[]) => void
  maxChosen: number
  /** Shown if nothing matches. */
  empty: string
  /** The last options, in a group of their own. */
  lastGroup?: { title: string; has: (option: T) => boolean } | undefined
  /** Shown below the field. */
  hint?: string | undefined
  /** Shown below the options. */
  children?: ReactNode
}

/** Twice the visible number; every key press renders a page. */
const PAGE_SIZE = 20

/** A search field above a list of options, of which several can be chosen. */
export function SearchCombobox<T extends { id: string }>(props: Props<T>) {
  const {
    label,
    options,
    isSettled,
    nameOf,
    renderOption,
    query,
    onQuery,
    chosen,
    renderMark,
    onChoose,
    maxChosen,
    empty,
    lastGroup,
    hint,
    children,
  } = props
  const [count, setCount] = useState(PAGE_SIZE)
  const shown = options?.slice(0, count) ?? []
  const isHighlightedByKey = useRef(false)
  /** The query for which the user, not the library, highlighted an option. */
  const highlightedFor = useRef<string>(undefined)
  const hintId = useId()
  const isChosen = ({ id }: T) => chosen.some((option) => option.id === id)
  /** The query for which Enter was pressed before its options arrived. */
  const [entered, setEntered] = useState<string>()
  /** The library highlights the first option a little late; until then Enter would pick one from the previous list. */
  function pickFirst() {
    if (query === '' || (isSettled && highlightedFor.current === query)) return false
    setEntered(query)
    return true
  }
  const pick = useEffectEvent(() => {
    const [first] = shown
    setEntered(undefined)
    if (entered !== query || !first || isChosen(first) || chosen.length >= maxChosen) return
    onChoose([...chosen, first])
    onQuery('')
  })
  useEffect(() => {
    if (entered !== undefined && isSettled) pick()
  }, [entered, isSettled])
  const renderItem = (option: T) => (
    <Combobox.Item
      key={option.id}
      value={option}
      disabled={chosen.length >= maxChosen && !isChosen(option)}
      className="flex h-11 cursor-default items-center gap-2 rounded-m px-3 outline-none data-disabled:opacity-50 data-highlighted:bg-selected"
    >
      {renderOption(option)}
      <Check size={16} className={`text-pine ${isChosen(option) ? '' : 'invisible'}`} />
    </Combobox.Item>
  )
  return (
    <Combobox.Root
      inline
      open
      multiple
      autoHighlight
      items={shown}
      filteredItems={shown}
      itemToStringLabel={nameOf}
      isItemEqualToValue={(a: T, b: T) => a.id === b.id}
      value={chosen}
      onValueChange={onChoose}
      inputValue={query}
      onInputValueChange={onQuery}
      onItemHighlighted={(option, { reason }) => {
        isHighlightedByKey.current = reason === 'keyboard'
        highlightedFor.current = option && reason !== 'none' ? query : undefined
      }}
    >
      <QueryField
        label={label}
        nameOf={nameOf}
        chosen={chosen}
        renderMark={renderMark}
        canPick={() => query !== '' || isHighlightedByKey.current}
        pickFirst={pickFirst}
        hintId={hint && hintId}
      />
      {hint && (
        <p id={hintId} className="mt-1.5 text-faint text-meta">
          {hint}
        </p>
      )}
      <div className="fades-below -mx-3 mt-2 h-[min(18.5rem,44dvh)] overflow-y-auto overscroll-contain max-wide:h-auto max-wide:min-h-0 max-wide:flex-1">
        {!options && <SkeletonRows />}
        <Combobox.Empty className="text-center text-soft text-ui">
          {options?.length === 0 && <p className="px-3 pt-6 pb-2">{empty}</p>}
        </Combobox.Empty>
        <Combobox.List className="outline-none">
          {shown.filter((option) => !lastGroup?.has(option)).map(renderItem)}
          {lastGroup && shown.some(lastGroup.has) && (
            <Combobox.Group>
              <Combobox.GroupLabel className="px-3 pt-3 pb-1 font-[600] text-faint text-micro uppercase tracking-[0.05em]">
                {lastGroup.title}
              </Combobox.GroupLabel>
              {shown.filter(lastGroup.has).map(renderItem)}
            </Combobox.Group>
          )}
        </Combobox.List>
        {shown.length < (options?.length ?? 0) && (
          <ScrollSentinel key={count} onNear={() => setCount((before) => before + PAGE_SIZE)} />
        )}
        {children}
      </div>
    </Combobox.Root>
  )
}

interface QueryFieldProps<T extends { id: string }> extends Pick<Props<T>, 'label' | 'nameOf' | 'chosen'> {
  renderMark: ((option: T) => ReactNode) | undefined
  canPick: () => boolean
  /** Returns whether it handled the key. */
  pickFirst: () => boolean
  hintId: string | undefined
}

/** The query, after chips of the chosen options. */
function QueryField<T extends { id: string }>({
  label,
  nameOf,
  chosen,
  renderMark,
  canPick,
  pickFirst,
  hintId,
}: QueryFieldProps<T>) {
  return (
    <Combobox.Chips className="field-edge flex min-h-10 pointer-coarse:min-h-11 flex-wrap items-center gap-1 rounded-m bg-paper px-3 py-0.75">
      <Search size={16} className="me-1 text-faint" />
      {chosen.map((option) => (
        <Combobox.Chip
          key={option.id}
          aria-label={nameOf(option)}
          className={`flex h-6 max-w-full items-center gap-1.5 rounded-s bg-pine-wash text-ui ${renderMark ? 'ps-1' : 'ps-2'} outline-none focus-within:bg-press data-highlighted:bg-press`}
        >
          {renderMark?.(option)}
          <bdi className="truncate">{nameOf(option)}</bdi>
          <Combobox.ChipRemove
            aria-label={t('ui.removeNamed', { name: nameOf(option) })}
            className="grid size-6 flex-none place-items-center rounded-s text-soft outline-none hover:text-ink pointer-coarse:size-11"
          >
            <X size={14} />
          </Combobox.ChipRemove>
        </Combobox.Chip>
      ))}
      <Combobox.Input
        aria-label={label}
        aria-describedby={hintId}
        autoFocus={!isTouch()}
        // With something chosen and no query, Enter submits the form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          if (chosen.length > 0 && !canPick()) return event.preventBaseUIHandler()
          if (!pickFirst()) return
          event.preventBaseUIHandler()
          event.preventDefault()
        }}
        placeholder={chosen.length > 0 ? '' : label}
        dir="auto"
        className="h-8 min-w-24 flex-1 bg-transparent outline-none"
      />
    </Combobox.Chips>
  )
}
