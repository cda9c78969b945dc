import { readItem, saveItem } from '../ui/device/local-storage.ts'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const STORAGE_KEY = 'parley.theme'

/** The theme chosen on this device; the colours themselves follow `data-theme` in tokens.css. */
export function readTheme(): Theme {
  const stored = readItem(STORAGE_KEY) as Theme | undefined
  return stored && themes.includes(stored) ? stored : 'system'
}

export function applyTheme(theme: Theme) {
  for (const color of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const { for: scheme } = color.dataset
    color.media = theme === 'system' ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? 'all' : 'not all'
  }
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  saveItem(STORAGE_KEY, theme)
}
