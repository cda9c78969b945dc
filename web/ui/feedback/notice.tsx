import type { ReactNode } from 'react'

interface Props {
  title: string
  /** Where there is nothing else on the page: then it is its heading. */
  isPage?: boolean
  children?: ReactNode
}

/** What stands where a list or a page would: empty, failed or not chosen. */
export function Notice({ title, isPage = false, children }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="grid flex-1 place-items-center p-6 text-center">
      <div className="max-w-sm">
        <Title className="font-[620]">{title}</Title>
        {children && <div className="mt-1 text-soft text-ui">{children}</div>}
      </div>
    </div>
  )
}
