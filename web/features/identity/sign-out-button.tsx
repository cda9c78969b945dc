import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useIdentity } from '../../me.tsx'
import { useSocket } from '../../socket.ts'
import { applyTheme, readTheme, type Theme, themes } from '../../theme.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useLate } from '../../ui/late.tsx'

interface Props {
  /** How many messages would be lost by leaving. */
  countUnsent: () => number
  onLeave: () => void
}

/** What concerns this device and this person: how it looks, and leaving. */
export function AccountFooter(props: Props) {
  return (
    <>
      <SignOutButton {...props} />
      <ThemeButton />
    </>
  )
}

function SignOutButton({ countUnsent, onLeave }: Props) {
  const { leave } = useIdentity()
  const socket = useSocket()
  const [busy, setBusy] = useState(false)
  const [unsent, setUnsent] = useState(0)
  const confirmation = useLate(() => import('../../ui/confirm-dialog.tsx'))

  async function ask() {
    if (countUnsent() > 0) await confirmation.fetch()
    const count = countUnsent()
    setUnsent(count)
    if (count === 0) await signOut()
  }

  async function signOut() {
    setBusy(true)
    socket?.emit('status:update', 'offline')
    // Time for the word to go out before the connection is taken down.
    await new Promise((resolve) => setTimeout(resolve, 100))
    onLeave()
    await leave()
  }

  return (
    <>
      <Button className="flex-1 justify-start" onClick={ask} disabled={busy}>
        <LogOut size={16} />
        Sign Out
      </Button>
      {unsent > 0 && confirmation.Part && (
        <confirmation.Part
          title="Sign Out"
          action="Discard and sign out"
          onConfirm={signOut}
          onClose={() => setUnsent(0)}
        >
          {unsent === 1 ? 'One message was not sent yet.' : `${unsent} messages were not sent yet.`} Signing out
          discards what was not sent.
        </confirmation.Part>
      )}
    </>
  )
}

const icons = { system: Monitor, light: Sun, dark: Moon }

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme)
  const Icon = icons[theme]
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] as Theme

  function change() {
    applyTheme(next)
    setTheme(next)
  }

  return (
    <IconButton name={`Theme: ${theme}. Change to ${next}`} onClick={change}>
      <Icon size={16} />
    </IconButton>
  )
}
