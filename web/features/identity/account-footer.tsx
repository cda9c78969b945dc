import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useIdentity } from '../../me.tsx'
import { useSocket } from '../../socket.ts'
import { applyTheme, readTheme, type Theme, themes } from '../../theme.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

/** What concerns this device and this person: how it looks, and leaving. */
export function AccountFooter({ onLeave }: { onLeave: () => void }) {
  return (
    <>
      <SignOutButton onLeave={onLeave} />
      <ThemeButton />
    </>
  )
}

function SignOutButton({ onLeave }: { onLeave: () => void }) {
  const { leave } = useIdentity()
  const socket = useSocket()
  const [busy, setBusy] = useState(false)

  async function signOut() {
    setBusy(true)
    socket?.emit('status:update', 'offline')
    // Time for the word to go out before the connection is taken down.
    await new Promise((resolve) => setTimeout(resolve, 100))
    onLeave()
    await leave()
  }

  return (
    <Button className="flex-1 justify-start" onClick={signOut} disabled={busy}>
      <LogOut size={16} />
      Sign Out
    </Button>
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
