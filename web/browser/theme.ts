import { readItem, saveItem } from '../ui/device/local-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'parley.theme'

/** The theme chosen on this device; the colours themselves follow `data-theme` in tokens.css. */
export function readTheme(): Theme {
  const kept = readItem(KEY) as Theme | undefined
  return kept && themes.includes(kept) ? kept : 'system'
}

export function applyTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  saveItem(KEY, theme)
}
