import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { applyTheme, readTheme } from '../../browser/theme.ts'
import { t } from '../../i18n/text.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

/** Chooses the theme for this device. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <RadioGroup
      legend={t('appearance.theme.title')}
      name="theme"
      options={{
        system: { name: t('appearance.theme.system'), Icon: Monitor },
        light: { name: t('appearance.theme.light'), Icon: Sun },
        dark: { name: t('appearance.theme.dark'), Icon: Moon },
      }}
      value={theme}
      onChoose={(chosen) => {
        applyTheme(chosen)
        setTheme(chosen)
      }}
    />
  )
}
