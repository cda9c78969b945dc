import { setPreference, usePreference } from '../../browser/preferences.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

const options = { all: { name: 'All' }, mentions: { name: 'Mentions' }, off: { name: 'Off' } }

/** Chooses which new messages a screen reader announces on this device. */
export function AnnounceChoice() {
  return (
    <>
      <RadioGroup
        legend="Announce new messages"
        name="announce"
        options={options}
        value={usePreference('announce')}
        onChoose={(announce) => setPreference('announce', announce)}
      />
      <p className="mt-2 text-faint text-meta">
        Which new messages a screen reader announces in the open conversation.
      </p>
    </>
  )
}
