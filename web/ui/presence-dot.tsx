/** Green and full for who is here, a red ring for who is not; say it in words beside it. */
export function PresenceDot({ online }: { online: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`size-2 flex-none rounded-full ${online ? 'bg-online' : 'border-[1.5px] border-offline'}`}
    />
  )
}
