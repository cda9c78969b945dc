import type { ReactNode } from 'react'

/** The heading of a list in the sidebar, with its button. */
export function ListHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex h-9 items-center justify-between pt-2 ps-2 pe-1.5 pb-1">
      <h2 id={id} className="font-[600] text-faint text-micro tracking-[0.05em]">
        {title}
      </h2>
      {children}
    </div>
  )
}
