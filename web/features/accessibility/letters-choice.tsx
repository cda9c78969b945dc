import { setPreference, usePreference } from '../../browser/preferences.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Turns single-letter shortcuts on or off for this device. */
export function LettersChoice() {
  const isOn = usePreference('letters') === 'on'
  return (
    <Checkbox
      label="Single-letter keys"
      hint="E, R, T and other single keys act on the focused message, never while you type. Saved on this device."
      checked={isOn}
      onChange={({ target }) => setPreference('letters', target.checked ? 'on' : 'off')}
    />
  )
}
