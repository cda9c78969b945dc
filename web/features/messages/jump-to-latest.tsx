import { ArrowDown } from 'lucide-react'

export function JumpToLatest({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="-translate-x-1/2 absolute bottom-2 left-1/2 flex h-8 animate-appear items-center gap-1.5 rounded-full border border-line bg-raised px-3 font-[550] text-ui shadow-float hover:bg-sunk pointer-coarse:h-11"
    >
      <ArrowDown size={14} />
      Jump to latest
    </button>
  )
}
