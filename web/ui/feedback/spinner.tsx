/** A spinner that fills the page, with a text. */
export function FullPageSpinner({ children }: { children: string }) {
  return (
    <div className="grid h-full place-items-center bg-sunk">
      <Spinner>{children}</Spinner>
    </div>
  )
}

/** A spinner with a text. */
export function Spinner({ children }: { children: string }) {
  return (
    <div role="status" className="flex flex-col items-center gap-4 text-soft text-ui">
      <span className="size-6 animate-spin rounded-full border-2 border-line-strong border-t-pine" />
      {children}
    </div>
  )
}
