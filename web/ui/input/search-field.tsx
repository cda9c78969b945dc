import { Search } from 'lucide-react'
import { isTouch } from '../device/media.ts'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  /** Smaller, for one of several controls in a row. */
  isCompact?: boolean
  /** Whether it takes the focus, as in a dialog but not on a page. */
  isFocused?: boolean
}

/** A search field with its label as the placeholder. */
export function SearchField({ label, value, onChange, maxLength, isCompact = false, isFocused = true }: Props) {
  return (
    <div
      className={`field-edge flex items-center gap-2 rounded-m bg-paper ${isCompact ? 'h-8 px-2.5 text-ui pointer-coarse:h-11' : 'h-10 px-3'}`}
    >
      <Search size={16} className="text-faint" />
      <input
        type="search"
        aria-label={label}
        // biome-ignore lint/a11y/noAutofocus: dialogs are opened to search, and touch devices are excepted
        autoFocus={isFocused && !isTouch()}
        placeholder={label}
        dir="auto"
        autoComplete="off"
        maxLength={maxLength}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="h-full min-w-0 flex-1 bg-transparent outline-none [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
}
