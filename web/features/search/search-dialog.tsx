import { Dialog } from '@base-ui/react/dialog'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import type { FilterName } from '#contract/search-query'
import { t } from '../../i18n/text.ts'
import { useBackCloses } from '../../ui/device/back-closes.ts'
import { keyLabel } from '../../ui/device/key-label.ts'
import { useFadeOut } from '../../ui/dialog/fade-out.ts'
import { useFocusBack } from '../../ui/dialog/focus-back.ts'
import { Button } from '../../ui/input/button.tsx'
import { isComposing } from '../../ui/input/is-composing.ts'
import { useActiveRow } from '../../ui/list/active-row.ts'
import { optionId } from '../../ui/list/option-row.tsx'
import { FilterButtons, type FilterChip } from './filter-bar.tsx'
import { ResultList, type SearchGroup } from './result-list.tsx'
import { SearchField } from './search-field.tsx'
import { beginFilter, type Edited } from './split-query.ts'
import { useEntered } from './use-entered.ts'

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
  const { chips, filters, groups, isBusy, empty, end, note, onClose } = props
  useFocusBack()
  useBackCloses(onClose)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const { backdrop, popup } = useFadeOut()
  const { rows, active, activate, shown, type, begin, onKeyDown } = useSearchKeys(props, field)
  const thenType = (act: () => void) => () => {
    act()
    field.current?.focus()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop ref={backdrop} className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Dialog.Popup
          ref={popup}
          aria-label={t('search.title')}
          initialFocus={field}
          finalFocus={false}
          className="fixed inset-x-0 top-[min(12vh,108px)] z-30 mx-auto flex h-[min(640px,76dvh,86dvh-var(--keyboard,0px))] w-[min(660px,100%-32px)] animate-rise flex-col overflow-hidden rounded-xl bg-raised shadow-modal outline-none max-wide:inset-y-0 max-wide:bottom-(--keyboard,0px) max-wide:h-auto max-wide:w-full max-wide:rounded-none max-wide:pt-[env(safe-area-inset-top)] max-wide:shadow-none"
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field */}
          <div
            className="flex-none border-line border-b px-4 max-wide:pe-2"
            onMouseDown={(event) => event.target !== field.current && event.preventDefault()}
          >
            <div className="flex items-start gap-1">
              <SearchField
                ref={field}
                text={shown.text}
                onType={type}
                onKeyDown={onKeyDown}
                chips={chips.map((chip) => ({ ...chip, onRemove: thenType(chip.onRemove) }))}
                listId={listId}
                activeRowId={active && optionId(listId, active.id)}
                hasRows={rows.length > 0}
                isBusy={isBusy}
              />
              <Dialog.Close render={<Button className="mt-2.5 wide:hidden pointer-coarse:mt-1" />}>
                {t('ui.cancel')}
              </Dialog.Close>
            </div>
            <div className="pb-2.5">
              <FilterButtons filters={filters} onBegin={(name) => thenType(() => begin(name))()} />
            </div>
          </div>
          <ScrollArea>
            {rows.length === 0 && empty && <div className="px-4 py-8 text-center text-soft text-ui">{empty}</div>}
            <ResultList id={listId} groups={groups} activeId={active?.id} onPoint={activate} isBusy={isBusy} />
            {end}
          </ScrollArea>
          <Footer note={note} completes={active?.completes ?? false} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function ScrollArea({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-2 focus-visible:-outline-offset-2"
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  )
}

/** The text of the field, and the row that its keys choose. */
function useSearchKeys(props: Props, field: RefObject<HTMLInputElement | null>) {
  const { query, edited, onEdit, chips, groups, startId, isBusy, isSettled } = props
  const { text, caret } = edited
  // A completion in the middle of the text would leave the caret at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when only the caret moves, the user moved it
  useLayoutEffect(() => {
    if (field.current?.selectionStart !== caret) field.current?.setSelectionRange(caret, caret)
  }, [query, text])
  const rows = groups.flatMap((group) => group.rows)
  const { active, isChosen, activate, moveByKey } = useActiveRow(rows, { sought: query, startId })
  const isReady = isChosen || (isSettled && (active !== undefined || !isBusy))
  const open = () => active?.act()
  const { shown, enter, type, forget } = useEntered({ query, edited, onEdit, isReady, open })

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, nativeEvent, ctrlKey, metaKey, altKey, currentTarget } = event
    if (isComposing(nativeEvent)) return
    // With Ctrl it deletes a word, and so a filter as well.
    if (key === 'Backspace' && currentTarget.selectionEnd === 0 && chips.length > 0) {
      event.preventDefault()
      return chips.at(-1)?.onRemove()
    }
    if (ctrlKey || metaKey || altKey) return
    // At once, so that text typed next follows what it completed.
    if (key === 'Enter' && isReady) open()
    else if (key === 'Enter') enter(currentTarget.selectionStart ?? text.length)
    else if (!moveByKey(key)) return
    event.preventDefault()
  }

  function begin(name: FilterName) {
    forget()
    onEdit(beginFilter(shown, name))
  }

  return { rows, active, activate, shown, type, begin, onKeyDown }
}

function Footer({ note, completes }: { note: string; completes: boolean }) {
  return (
    <footer
      className={`flex flex-none gap-4 border-line border-t bg-sunk px-4 py-2 text-faint text-meta max-wide:pb-[max(8px,env(safe-area-inset-bottom))] ${note ? '' : 'max-wide:border-t-0 max-wide:bg-transparent pointer-coarse:border-t-0 pointer-coarse:bg-transparent'}`}
    >
      <Keys name={t('search.keys.move')}>
        <kbd>↑</kbd> <kbd>↓</kbd>
      </Keys>
      <Keys name={completes ? t('search.keys.choose') : t('search.keys.open')}>
        <kbd>↵</kbd>
      </Keys>
      <Keys name={t('search.keys.close')}>
        <kbd>{keyLabel('Escape')}</kbd>
      </Keys>
      <span aria-live="polite" className="ms-auto truncate">
        {note}
      </span>
    </footer>
  )
}

function Keys({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="hidden flex-none wide:inline pointer-coarse:hidden">
      {children} {name}
    </span>
  )
}
