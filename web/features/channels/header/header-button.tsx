import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/input/button.tsx'

interface Props {
  icon: LucideIcon
  name: string
  onClick: () => void
  children?: ReactNode
}

/** A button in the page header; on a phone it shows only its icon. */
export function HeaderButton({ icon: Icon, name, onClick, children }: Props) {
  return (
    <Button
      variant="line"
      aria-haspopup="dialog"
      onClick={onClick}
      className="max-wide:size-[min(2.75rem,var(--bar))] max-wide:border-transparent max-wide:bg-transparent max-wide:p-0 max-wide:text-soft"
    >
      <Icon className="size-4 max-wide:size-5" />
      <span className="flex gap-1.5 max-wide:sr-only">
        {name} {children}
      </span>
    </Button>
  )
}
