import { setPreference, usePreference } from '../../browser/preferences.ts'
import { t } from '../../i18n/text.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Shows or hides the previews of links on this device. */
export function PreviewsChoice() {
  return (
    <div className="mt-6">
      <Checkbox
        label={t('appearance.previews')}
        hint={t('appearance.previewsHint')}
        checked={usePreference('previews') === 'shown'}
        onChange={({ target }) => setPreference('previews', target.checked ? 'shown' : 'hidden')}
      />
    </div>
  )
}
