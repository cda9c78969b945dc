import { Search } from 'lucide-react'
import type { Ref } from 'react'
import { isTouch } from '../device/media.ts'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}

/** A search field with its label as the placeholder. */
export function SearchField({ label, value, onChange, ref }: Props) {
  return (
    <div className="field-edge flex h-10 items-center gap-2 rounded-m bg-paper px-3">
      <Search size={16} className="text-faint" />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        // biome-ignore lint/a11y/noAutofocus: dialogs are opened to search, and touch devices are excepted
        autoFocus={!isTouch()}
        placeholder={label}
        dir="auto"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="h-full min-w-0 flex-1 bg-transparent outline-none [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
}
