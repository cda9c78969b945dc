import type { ReactNode } from 'react'

interface Props {
  title: string
  hint?: ReactNode
  /** Shown at the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of a section, with a line above all but the first. */
export function AdminPart({ title, hint, actions, children }: Props) {
  return (
    <section
      aria-label={title}
      data-area=""
      className="max-w-2xl border-line border-t py-6 first-of-type:border-t-0 first-of-type:pt-0"
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-[620] text-body">{title}</h3>
          {hint && <p className="mt-1 max-w-prose text-pretty text-soft text-ui">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
