import { setPreference, usePreference } from '../../browser/preferences.ts'
import { t } from '../../i18n/text.ts'
import { emptyDeviceCache } from '../../ui/device/clear-storage.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Chooses whether messages are kept on this device. Switching it off removes them at once. */
export function KeepChoice() {
  const isOn = usePreference('keep') === 'on'
  const choose = (isWanted: boolean) => {
    setPreference('keep', isWanted ? 'on' : 'off')
    if (!isWanted) emptyDeviceCache().catch((error) => console.error('Failed to remove the kept messages:', error))
  }
  return (
    <Checkbox
      label={t('identity.keep.title')}
      hint={t('identity.keep.hint')}
      checked={isOn}
      onChange={({ target }) => choose(target.checked)}
    />
  )
}
