import type { ReactNode } from 'react'

/** What stands where a list or a page would: empty, failed or not chosen. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid flex-1 place-items-center p-6 text-center">
      <div className="max-w-sm">
        <p className="font-[620]">{title}</p>
        {children && <div className="mt-1 text-soft text-ui">{children}</div>}
      </div>
    </div>
  )
}
