import type { FileKind } from '#contract/files'
import { SearchField } from '../../ui/input/search-field.tsx'
import type { FileFilter } from './file-queries.ts'

const KINDS: [kind: FileKind | undefined, label: string][] = [
  [undefined, 'All'],
  ['image', 'Images'],
  ['document', 'Documents'],
  ['audio', 'Audio'],
  ['video', 'Video'],
]

interface Props {
  filter: FileFilter
  onChange: (filter: FileFilter) => void
}

/** Narrows the list of files by name and kind. */
export function FileFilters({ filter, onChange }: Props) {
  return (
    <div className="sticky top-0 z-2 flex flex-wrap items-center gap-x-4 gap-y-2 bg-raised px-6 pt-1 pb-3 max-wide:px-(--gutter) max-wide:pt-3">
      <div className="w-60 max-w-full flex-auto wide:flex-none">
        <SearchField
          label="Filter files..."
          isCompact
          value={filter.name}
          onChange={(name) => onChange({ ...filter, name })}
        />
      </div>
      <fieldset className="flex flex-wrap wide:gap-1">
        <legend className="sr-only">File type</legend>
        {KINDS.map(([kind, label]) => (
          <label
            key={label}
            className="flex h-8 items-center rounded-s border border-transparent px-2 wide:px-2.5 text-soft text-ui transition-colors hover:bg-hover has-checked:border-pine has-checked:bg-pine-wash has-checked:font-[550] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 pointer-coarse:h-11"
          >
            <input
              type="radio"
              name="file-kind"
              className="sr-only"
              checked={kind === filter.kind}
              onChange={() => onChange({ ...filter, kind })}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
