import { useState } from 'react'
import { AnchoredList } from '../ui/list/anchored-list.tsx'
import { SearchCombobox } from '../ui/list/combobox.tsx'
import { LongList } from '../ui/list/long-list.tsx'
import { OptionRow } from '../ui/list/option-row.tsx'
import { ScrollSentinel } from '../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../ui/list/skeleton-rows.tsx'
import { Block, type Exhibit, people } from './samples.tsx'

type Person = (typeof people)[number]
const ignore = () => {}
const lines = Array.from({ length: 40 }, (_, nth) => ({ key: `${nth}`, anchorable: true }))

export const lists: Exhibit[] = [
  {
    name: 'SearchCombobox',
    show: () => (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 px-3">
        <Block name="one is chosen">
          <Picker options={people} initial={people.slice(3, 4)} />
        </Block>
        <Block name="with a hint and a last group">
          <Picker options={people.slice(2)} initial={[]} isGrouped />
        </Block>
        <Block name="empty">
          <Picker options={[]} initial={[]} />
        </Block>
        <Block name="waiting">
          <Picker options={undefined} initial={[]} />
        </Block>
      </div>
    ),
  },
  {
    name: 'OptionRow, the second one active',
    show: (theme) => (
      <div role="listbox" aria-label={`People, ${theme}`} className="px-3">
        {people.slice(0, 3).map(({ id, name }, nth) => (
          <OptionRow
            key={id}
            id={`${theme}-${id}`}
            isActive={nth === 1}
            onPoint={ignore}
            onClick={ignore}
            className="flex h-9 items-center rounded-m px-3 text-ui"
          >
            <bdi className="truncate">{name}</bdi>
          </OptionRow>
        ))}
      </div>
    ),
  },
  {
    name: 'LongList, with its rows and what loads more',
    show: () => (
      <div className="h-40 overflow-y-auto rounded-m border border-line">
        <LongList
          rows={people}
          openId="u-noa"
          renderRow={({ id, name }) => (
            <button
              type="button"
              className={`flex h-(--row) w-full items-center px-3 text-start text-ui ${id === 'u-noa' ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              <bdi className="truncate">{name}</bdi>
            </button>
          )}
        />
        <ScrollSentinel onNear={ignore} />
      </div>
    ),
  },
  {
    name: 'AnchoredList, at its end',
    show: (theme) => (
      <div className="flex h-40 flex-col rounded-m border border-line">
        <AnchoredList
          label={`Lines, ${theme}`}
          rows={lines}
          estimate={() => 28}
          onNearTop={ignore}
          renderRow={({ key }) => <p className="px-3 py-1 text-ui">Line {key}</p>}
        />
      </div>
    ),
  },
  { name: 'SkeletonRows', show: () => <SkeletonRows /> },
]

interface PickerProps {
  options: Person[] | undefined
  initial: Person[]
  isGrouped?: boolean
}

function Picker({ options, initial, isGrouped = false }: PickerProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(initial)
  return (
    <div className="flex max-h-72 flex-col overflow-hidden">
      <SearchCombobox
        label="Search users..."
        options={options}
        isSettled
        nameOf={({ name }) => name}
        renderOption={({ name }) => <bdi className="min-w-0 flex-1 truncate text-ui">{name}</bdi>}
        query={query}
        onQuery={setQuery}
        chosen={chosen}
        onChoose={setChosen}
        maxChosen={4}
        empty="No users found"
        hint={isGrouped ? 'Choose one person, or several for a group.' : undefined}
        lastGroup={isGrouped ? { title: 'You already talk with', has: ({ id }) => id === 'assistant-bot' } : undefined}
      />
    </div>
  )
}
