import type { ReactNode } from 'react'

/** A titled section of a dialog, with a line above all but the first. */
export function DialogSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t px-6 pt-4 pb-5 max-wide:px-(--gutter) first-of-type:border-t-0 first-of-type:pt-2">
      <h3 className="mb-3 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{title}</h3>
      {children}
    </section>
  )
}
