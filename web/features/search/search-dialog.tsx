import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FilterName } from '#contract/search-query'
import { t } from '../../i18n/text.ts'
import { useBackCloses } from '../../ui/device/back-closes.ts'
import { useFocusBack } from '../../ui/dialog/focus-back.ts'
import { Button } from '../../ui/input/button.tsx'
import { isComposing } from '../../ui/input/is-composing.ts'
import { type Entered, typedOn, typeOn } from './entered.ts'
import { Chip, FilterButtons, type FilterChip } from './filter-bar.tsx'
import { beginFilter, type Edited } from './split-query.ts'

export interface SearchRow {
  id: string
  content: ReactNode
  act: () => void
}
interface SearchGroup {
  name: string
  rows: readonly SearchRow[]
}

interface Props {
  /** The whole query, with its filters. */
  query: string
  /** The part of the query that is edited in the field; finished filters are chips before it. */
  edited: Edited
  onEdit: (edited: Edited) => void
  chips: readonly FilterChip[]
  /** The filters that can be begun. */
  filters: ComponentProps<typeof FilterButtons>['filters']
  /** The results by group, best first. */
  groups: readonly SearchGroup[]
  /** The row to highlight first, if it is listed. */
  startId?: string | undefined
  /** Whether a search is running. */
  isBusy: boolean
  /** Whether the rows are the results of the current query. */
  isSettled: boolean
  /** Shown when there are no results. */
  empty: ReactNode
  /** Shown at the end of the list. */
  end?: ReactNode
  /** Shown in the footer. */
  note: string
  onClose: () => void
}

/** A search field and its results: arrows move, Enter opens, Escape closes. Load it lazily. */
export function SearchDialog(props: Props) {
  const { query, edited, onEdit, chips, filters, groups, startId, isBusy, isSettled, empty, end, note, onClose } = props
  const { text, caret } = edited
  useFocusBack()
  useBackCloses(onClose)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  // A completion in the middle of the text would leave the caret at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when only the caret moves, the user moved it
  useLayoutEffect(() => {
    if (field.current?.selectionStart !== caret) field.current?.setSelectionRange(caret, caret)
  }, [query, text])
  const rows = groups.flatMap((group) => group.rows)
  const { active, isChosen, setActive, step } = useActive(rows, query, startId)
  const [entered, setEntered] = useState<Entered>()
  // A filter that is removed meanwhile makes it another search.
  const waiting = entered?.query === query ? entered : undefined
  const shown = waiting ? typedOn(waiting, edited) : edited
  /** An Enter that is over: what was typed behind it is still to be added to what it left. */
  const [over, setOver] = useState<Entered>()
  const isReady = isChosen || (isSettled && (active !== undefined || !isBusy))
  const isOver = entered !== undefined && (isReady || !waiting)
  const go = useEffectEvent(() => {
    setEntered(undefined)
    setOver(entered)
    if (waiting) active?.act()
  })
  const typeMore = useEffectEvent(() => {
    setOver(undefined)
    if (over?.more) onEdit(typedOn(over, edited))
  })
  // Layout effects, because the next key must find the text that these leave.
  useLayoutEffect(() => {
    if (isOver) go()
  }, [isOver])
  useLayoutEffect(() => {
    if (over) typeMore()
  }, [over])
  const idOf = ({ id }: SearchRow) => `${listId}-${id}`

  const thenType = (act: () => void) => () => {
    act()
    field.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, nativeEvent, ctrlKey, metaKey, altKey, currentTarget } = event
    if (isComposing(nativeEvent)) return
    // With Ctrl it takes back a word, which a filter is, too.
    if (key === 'Backspace' && currentTarget.selectionEnd === 0 && chips.length > 0) {
      event.preventDefault()
      return chips.at(-1)?.onRemove()
    }
    if (ctrlKey || metaKey || altKey) return
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    // At once, so that what is typed next is added to what it completed.
    else if (key === 'Enter' && isReady) active?.act()
    else if (key === 'Enter')
      setEntered(waiting ?? { query, at: { text, caret: currentTarget.selectionStart ?? text.length }, more: '' })
    else return
    event.preventDefault()
  }

  function onType(next: Edited) {
    const still = waiting && typeOn(waiting, next)
    setEntered(still)
    if (!still) onEdit(next)
  }

  function onBegin(name: FilterName) {
    setEntered(undefined)
    onEdit(beginFilter(shown, name))
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Dialog.Popup
          aria-label={t('search.title')}
          initialFocus={field}
          finalFocus={false}
          className="fixed inset-x-0 top-[min(12vh,108px)] z-30 mx-auto flex max-h-[min(80dvh,calc(86dvh-var(--keyboard,0px)))] w-[min(660px,100%-32px)] animate-rise flex-col overflow-hidden rounded-xl bg-raised shadow-modal outline-none max-wide:inset-y-0 max-wide:bottom-(--keyboard,0px) max-wide:max-h-none max-wide:w-full max-wide:rounded-none max-wide:pt-[env(safe-area-inset-top)] max-wide:shadow-none"
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field */}
          <div
            className="flex-none border-line border-b px-4 max-wide:pe-2"
            onMouseDown={(event) => event.target !== field.current && event.preventDefault()}
          >
            <div className="flex items-start gap-1">
              <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 py-2">
                <Search size={18} className="me-1 h-9 flex-none text-faint" />
                {chips.map((chip) => (
                  <Chip key={chip.id} {...chip} onRemove={thenType(chip.onRemove)} />
                ))}
                <input
                  ref={field}
                  role="combobox"
                  aria-label={t('search.placeholder')}
                  aria-expanded={rows.length > 0}
                  aria-controls={listId}
                  aria-activedescendant={active && idOf(active)}
                  aria-autocomplete="list"
                  autoComplete="off"
                  spellCheck={false}
                  aria-description={
                    chips.map(({ label, meaning }) => t('search.filter', { label, meaning })).join(t('ui.listComma')) ||
                    undefined
                  }
                  placeholder={chips.length > 0 ? '' : t('search.placeholder')}
                  dir="auto"
                  value={shown.text}
                  onChange={({ target }) =>
                    onType({ text: target.value, caret: target.selectionStart ?? target.value.length })
                  }
                  onKeyDown={onKeyDown}
                  className="h-9 min-w-32 flex-1 bg-transparent text-head outline-none"
                />
                {isBusy && (
                  <span
                    role="status"
                    className="size-4 flex-none animate-spin rounded-full border-2 border-line-strong border-t-pine"
                  >
                    <span className="sr-only">{t('search.searching')}</span>
                  </span>
                )}
              </div>
              <Dialog.Close render={<Button className="mt-2.5 wide:hidden pointer-coarse:mt-1" />}>
                {t('ui.cancel')}
              </Dialog.Close>
            </div>
            <div className="pb-2.5">
              <FilterButtons filters={filters} onBegin={(name) => thenType(() => onBegin(name))()} />
            </div>
          </div>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field */}
          <div
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
            tabIndex={0}
            className="min-h-0 overflow-y-auto overscroll-contain pb-2 max-wide:flex-1 focus-visible:-outline-offset-2"
            onMouseDown={(event) => event.preventDefault()}
          >
            {rows.length === 0 && empty && <div className="px-4 py-8 text-center text-soft text-ui">{empty}</div>}
            <div id={listId} role="listbox" aria-label={t('search.results')} aria-busy={isBusy}>
              {groups.map(
                (group) =>
                  group.rows.length > 0 && (
                    // biome-ignore lint/a11y/useSemanticElements: fieldset is for forms
                    <div key={group.name} role="group" aria-label={group.name}>
                      <div
                        aria-hidden="true"
                        className="px-4 pt-3 pb-1 font-[600] text-faint text-micro tracking-[0.05em]"
                      >
                        {group.name}
                      </div>
                      {group.rows.map((row) => (
                        <Row
                          key={row.id}
                          id={idOf(row)}
                          isActive={row.id === active?.id}
                          onPoint={() => setActive(row.id)}
                          onClick={row.act}
                        >
                          {row.content}
                        </Row>
                      ))}
                    </div>
                  ),
              )}
            </div>
            {end}
          </div>
          <footer
            className={`flex flex-none gap-4 border-line border-t bg-sunk px-4 py-2 text-faint text-meta max-wide:pb-[max(8px,env(safe-area-inset-bottom))] ${note ? '' : 'max-wide:border-t-0 max-wide:bg-transparent pointer-coarse:border-t-0 pointer-coarse:bg-transparent'}`}
          >
            <Keys name={t('search.keys.move')}>
              <kbd>↑</kbd> <kbd>↓</kbd>
            </Keys>
            <Keys name={t('search.keys.open')}>
              <kbd>↵</kbd>
            </Keys>
            <Keys name={t('search.keys.close')}>
              <kbd>esc</kbd>
            </Keys>
            <span aria-live="polite" className="ms-auto truncate">
              {note}
            </span>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The row that Enter opens: the first one until the user moves, then theirs, even if the results around it change. */
function useActive(rows: readonly SearchRow[], query: string, startId: string | undefined) {
  const [chosen, setChosen] = useState({ query, id: startId })
  const id = chosen.query === query ? chosen.id : undefined
  const found = rows.findIndex((row) => row.id === id)
  const index = Math.max(0, found)
  const setActive = (to: string | undefined) => setChosen({ query, id: to })
  const step = (by: number) => setActive(rows[(index + by + rows.length) % Math.max(1, rows.length)]?.id)
  return { active: rows[index], isChosen: found >= 0, setActive, step }
}

interface RowProps {
  id: string
  isActive: boolean
  onPoint: () => void
  onClick: () => void
  children: ReactNode
}

function Row({ id, isActive, onPoint, onClick, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      // Not onPointerEnter, which also fires when a row moves under a resting pointer.
      onPointerMove={onPoint}
      onClick={onClick}
      className={`mx-1.5 scroll-my-9 rounded-m px-2.5 ${isActive ? 'bg-selected' : ''}`}
    >
      {children}
    </div>
  )
}

function Keys({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="hidden flex-none wide:inline pointer-coarse:hidden">
      {children} {name}
    </span>
  )
}
