import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { applyTheme, readTheme, themes } from '../../theme.ts'

const looks = {
  system: { name: 'System', Icon: Monitor },
  light: { name: 'Light', Icon: Sun },
  dark: { name: 'Dark', Icon: Moon },
}

/** How Parley looks on this device. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(readTheme)
  return (
    <fieldset>
      <legend className="mb-1.5 font-[550] text-ui">Theme</legend>
      <div className="grid grid-cols-3 gap-2">
        {themes.map((theme) => {
          const { name, Icon } = looks[theme]
          return (
            <label
              key={theme}
              className="flex h-10 items-center justify-center gap-2 rounded-m border border-line-control text-soft text-ui has-checked:border-pine has-checked:bg-pine-wash has-checked:font-[550] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 hover:bg-hover pointer-coarse:h-11"
            >
              <input
                type="radio"
                name="theme"
                className="sr-only"
                checked={theme === chosen}
                onChange={() => {
                  applyTheme(theme)
                  setChosen(theme)
                }}
              />
              <Icon size={16} />
              {name}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
