/** A small number that asks for attention; `what` is the counted noun for screen readers. */
export function CountBadge({ count, what }: { count: number; what: string }) {
  return (
    <span className="h-[18px] min-w-[18px] flex-none rounded-full bg-ember px-1.25 text-center font-[600] text-micro text-on-ember tabular-nums leading-[18px]">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> {what}</span>
    </span>
  )
}
