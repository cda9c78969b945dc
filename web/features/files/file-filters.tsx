import type { FileKind } from '#contract/files'
import { limits } from '#contract/limits'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Segments } from '../../ui/input/segments.tsx'
import type { FileFilter } from './file-queries.ts'

const KINDS: { value: FileKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Images' },
  { value: 'document', label: 'Documents' },
  { value: 'audio', label: 'Audio' },
  { value: 'video', label: 'Video' },
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
          maxLength={limits.fileName}
          value={filter.name}
          onChange={(name) => onChange({ ...filter, name })}
        />
      </div>
      <Segments
        legend="File type"
        name="file-kind"
        options={KINDS}
        value={filter.kind ?? 'all'}
        onChange={(kind) => onChange({ ...filter, kind: kind === 'all' ? undefined : kind })}
      />
    </div>
  )
}
