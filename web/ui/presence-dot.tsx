/** A green dot if online, a red ring if not. Say it in words beside it: it is hidden from screen readers. */
export function PresenceDot({ isOnline }: { isOnline: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`size-2 flex-none rounded-full ${isOnline ? 'bg-online' : 'border-[1.5px] border-offline'}`}
    />
  )
}
