/** The number of members, in a quiet style. */
export function MemberCount({ count }: { count: number }) {
  const unit = count === 1 ? 'member' : 'members'
  return (
    <span className="font-[400] text-faint text-meta tabular-nums" title={`${count} ${unit}`}>
      {count}
      <span className="sr-only"> {unit}</span>
    </span>
  )
}
