import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { applyTheme, readTheme } from '../../browser/theme.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

const looks = {
  system: { name: 'System', Icon: Monitor },
  light: { name: 'Light', Icon: Sun },
  dark: { name: 'Dark', Icon: Moon },
}

/** How Parley looks on this device. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(readTheme)
  return (
    <RadioGroup
      legend="Theme"
      name="theme"
      options={looks}
      value={chosen}
      onChoose={(theme) => {
        applyTheme(theme)
        setChosen(theme)
      }}
    />
  )
}
