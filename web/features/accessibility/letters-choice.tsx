import { setPreference, usePreference } from '../../browser/preferences.ts'
import { t } from '../../i18n/text.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Turns single-letter shortcuts on or off for this device. */
export function LettersChoice() {
  const isOn = usePreference('letters') === 'on'
  return (
    <Checkbox
      label={t('accessibility.letters.title')}
      hint={t('accessibility.letters.hint')}
      checked={isOn}
      onChange={({ target }) => setPreference('letters', target.checked ? 'on' : 'off')}
    />
  )
}
