import { dayName } from './message-times.ts'

export function DayDivider({ time }: { time: string }) {
  return (
    <div className="flex items-center gap-3 px-(--gutter) pt-4 pb-2 font-[550] text-faint text-meta">
      <span className="h-px flex-1 bg-line" />
      <h2>{dayName(time)}</h2>
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
