import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { applyTheme, readTheme } from '../../browser/theme.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

const themes = {
  system: { name: 'System', Icon: Monitor },
  light: { name: 'Light', Icon: Sun },
  dark: { name: 'Dark', Icon: Moon },
}

/** Chooses the theme for this device. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <RadioGroup
      legend="Theme"
      name="theme"
      options={themes}
      value={theme}
      onChoose={(chosen) => {
        applyTheme(chosen)
        setTheme(chosen)
      }}
    />
  )
}
