import type { FileKind } from '#contract/files'
import { limits } from '#contract/limits'
import { type TextId, t } from '../../i18n/text.ts'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Segments } from '../../ui/input/segments.tsx'
import type { FileFilter } from './file-queries.ts'

const KINDS = [
  { value: 'all', label: 'files.kind.all' },
  { value: 'image', label: 'files.kind.images' },
  { value: 'document', label: 'files.kind.documents' },
  { value: 'audio', label: 'files.kind.audio' },
  { value: 'video', label: 'files.kind.video' },
] as const satisfies { value: FileKind | 'all'; label: TextId }[]

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
          label={t('files.filter')}
          isCompact
          maxLength={limits.fileName}
          value={filter.name}
          onChange={(name) => onChange({ ...filter, name })}
        />
      </div>
      <Segments
        legend={t('files.kind.legend')}
        name="file-kind"
        options={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
        value={filter.kind ?? 'all'}
        onChange={(kind) => onChange({ ...filter, kind: kind === 'all' ? undefined : kind })}
      />
    </div>
  )
}
