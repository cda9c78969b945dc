import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/input/button.tsx'

interface Props {
  icon: LucideIcon
  name: string
  onClick: () => void
  /** Shown instead of the icon where there is room. */
  faces?: ReactNode
  children?: ReactNode
}

/** A button in the page header. In a narrow header it shows its icon and count, on a phone only the icon. */
export function HeaderButton({ icon: Icon, faces, name, onClick, children }: Props) {
  return (
    <Button aria-haspopup="dialog" onClick={onClick} className="max-wide:size-[min(2.75rem,var(--bar))] max-wide:p-0">
      {faces && <span className="@max-[30rem]:hidden max-wide:hidden">{faces}</span>}
      <Icon className={`size-4 max-wide:size-5 ${faces ? '@min-[30rem]:wide:hidden' : ''}`} />
      <span className="@max-[30rem]:sr-only max-wide:sr-only">{name}</span>{' '}
      {children && <span className="max-wide:sr-only">{children}</span>}
    </Button>
  )
}
