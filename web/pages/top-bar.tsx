import { StatusButton } from '../features/users/status-button.tsx'
import { useMe } from '../me.tsx'
import { Avatar } from '../ui/avatar.tsx'

/** Above every signed-in page, where there is room for it. */
export function TopBar() {
  const me = useMe()
  return (
    <header className="hidden items-center justify-end gap-2 border-line border-b bg-sunk px-4 wide:flex">
      <StatusButton />
      <span title={`${me.name} (@${me.username})`}>
        <Avatar id={me.id} name={me.name} size="m" />
      </span>
    </header>
  )
}
