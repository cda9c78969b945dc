import type { ReactNode } from 'react'

/** A framed word beside a name, such as 'Owner'. */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="flex-none rounded-[4px] border border-line-strong px-1.25 font-[500] text-faint text-micro leading-4">
      {children}
    </span>
  )
}
