import { setPreference, usePreference } from '../../browser/preferences.ts'
import { t } from '../../i18n/text.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

/** Chooses which new messages a screen reader announces on this device. */
export function AnnounceChoice() {
  return (
    <>
      <RadioGroup
        legend={t('accessibility.announce.title')}
        name="announce"
        options={{
          all: { name: t('accessibility.announce.all') },
          mentions: { name: t('accessibility.announce.mentions') },
          off: { name: t('accessibility.announce.off') },
        }}
        value={usePreference('announce')}
        onChoose={(announce) => setPreference('announce', announce)}
      />
      <p className="mt-2 text-faint text-meta">{t('accessibility.announce.hint')}</p>
    </>
  )
}
