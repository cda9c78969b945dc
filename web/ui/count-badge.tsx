/** A small number that asks for attention; `unit` is read by screen readers after it, such as 'mentions'. */
export function CountBadge({ count, unit }: { count: number; unit: string }) {
  return (
    <span
      title={`${count} ${unit}`}
      className="h-[18px] min-w-[18px] flex-none rounded-full bg-ember px-1.25 text-center font-[600] text-micro text-on-ember tabular-nums leading-[18px]"
    >
      {count > 99 ? '99+' : count}
      <span className="sr-only"> {unit}</span>
    </span>
  )
}
