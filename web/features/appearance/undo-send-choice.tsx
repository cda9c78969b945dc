import { setPreference, usePreference } from '../../browser/preferences.ts'
import { t } from '../../i18n/text.ts'
import { keysLabel } from '../../ui/device/key-label.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Whether messages from this device can be taken back for a few seconds, before they are sent. */
export function UndoSendChoice() {
  return (
    <div className="mt-4">
      <Checkbox
        label={t('appearance.undoSend')}
        hint={t('appearance.undoSendHint', { keys: keysLabel('Mod+z') })}
        checked={usePreference('undoSend') === 'on'}
        onChange={({ target }) => setPreference('undoSend', target.checked ? 'on' : 'off')}
      />
    </div>
  )
}
