import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { usePresence } from '../../me.tsx'
import { signOut } from '../../session.ts'
import { useSocket } from '../../socket.ts'
import { applyTheme, readTheme, type Theme, themes } from '../../theme.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

/** What concerns this device and this person: how it looks, and leaving. */
export function AccountFooter() {
  return (
    <>
      <SignOutButton />
      <ThemeButton />
    </>
  )
}

function SignOutButton() {
  const { refresh } = usePresence()
  const socket = useSocket()
  const [busy, setBusy] = useState(false)

  async function leave() {
    setBusy(true)
    socket?.close()
    await signOut().catch((error) => console.error('Sign-out failed:', error))
    await refresh()
    setBusy(false)
  }

  return (
    <Button className="flex-1 justify-start" onClick={leave} disabled={busy}>
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
