import type { ReactNode } from 'react'

interface Props {
  title: string
  /** Whether it is the only content of the page; the title is the page's heading then. */
  isPage?: boolean
  children?: ReactNode
}

/** Shown instead of a list or a page that is empty or failed, or if nothing is selected. */
export function Notice({ title, isPage = false, children }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="grid flex-1 place-items-center p-6 text-center">
      <div className="max-w-sm">
        <Title className="font-[620]">{title}</Title>
        {children && <div className="mt-1 text-balance text-soft text-ui">{children}</div>}
      </div>
    </div>
  )
}
