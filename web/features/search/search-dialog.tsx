import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Highlighted } from './highlighted.tsx'
import type { Place } from './place.ts'
import { SEARCH } from './search-button.tsx'

interface Props {
  query: string
  onQuery: (query: string) => void
  /** Those that fit the query, the best first; undefined while they are not known. */
  places: readonly Place[] | undefined
  onClose: () => void
}

/** Finds a place by a few letters and goes there: arrows move, Enter goes, Escape closes. Load it lazily. */
export function SearchDialog({ query, onQuery, places = [], onClose }: Props) {
  // Before the box takes the focus by itself.
  const [origin] = useState(() => document.activeElement)
  const groups = places.length > 0 ? [{ value: 'CHANNELS AND PEOPLE', items: places }] : []
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Dialog.Popup
          aria-label={SEARCH}
          finalFocus={() => (origin instanceof HTMLElement && origin.isConnected ? origin : true)}
          className="fixed top-[min(12vh,108px)] left-1/2 z-30 flex max-h-[80dvh] w-[min(660px,calc(100vw-16px))] -translate-x-1/2 animate-rise flex-col overflow-hidden rounded-xl bg-raised shadow-modal outline-none"
        >
          <Autocomplete.Root
            inline
            open
            items={groups}
            filteredItems={groups}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ name }: Place) => name}
            value={query}
            onValueChange={onQuery}
          >
            <div className="flex h-14 flex-none items-center gap-3 border-line border-b px-4">
              <Search size={18} className="flex-none text-faint" />
              <Autocomplete.Input
                aria-label={SEARCH}
                placeholder={SEARCH}
                dir="auto"
                className="min-w-0 flex-1 bg-transparent text-head outline-none"
              />
            </div>
            <div className="min-h-0 overflow-y-auto overscroll-contain pb-2">
              <Autocomplete.Empty className="text-center text-soft text-ui">
                {places.length === 0 && <p className="px-4 py-8">No results found</p>}
              </Autocomplete.Empty>
              <Autocomplete.List className="outline-none">
                {groups.map((group) => (
                  <Autocomplete.Group key={group.value} items={group.items}>
                    <Autocomplete.GroupLabel className="px-4 pt-3 pb-1 font-[600] text-faint text-micro tracking-[0.05em]">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    {group.items.map((place) => (
                      <PlaceRow key={place.id} place={place} query={query} />
                    ))}
                  </Autocomplete.Group>
                ))}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
          <footer className="flex flex-none gap-4 border-line border-t bg-sunk px-4 py-2 text-faint text-meta pointer-coarse:hidden">
            <Keys name="move">
              <kbd>↑</kbd> <kbd>↓</kbd>
            </Keys>
            <Keys name="open">
              <kbd>↵</kbd>
            </Keys>
            <Keys name="close">
              <kbd>esc</kbd>
            </Keys>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PlaceRow({ place, query }: { place: Place; query: string }) {
  const { name, note, mark, go } = place
  return (
    <Autocomplete.Item
      value={place}
      onClick={go}
      className="mx-1.5 flex h-11 cursor-default items-center gap-3 rounded-m px-2.5 text-ui outline-none data-highlighted:bg-pine-wash"
    >
      <span className="grid w-7 flex-none place-items-center text-soft">{mark}</span>
      <bdi className="min-w-0 flex-1 truncate font-[550]" title={name}>
        <Highlighted text={name} sought={query} />
      </bdi>
      <span className="max-w-[45%] flex-none truncate text-faint text-meta">{note}</span>
    </Autocomplete.Item>
  )
}

function Keys({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      {children} {name}
    </span>
  )
}
