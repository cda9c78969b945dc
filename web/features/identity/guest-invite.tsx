import { useState } from 'react'
import { limits } from '#contract/limits'
import { rich, t } from '../../i18n/text.ts'
import { InviteForm, NumberField } from './invite-form.tsx'

const { channels: mostChannels, days } = limits.guest

/** Creates an invite link for guests of some channels. @param channels those that I may invite to */
export function GuestInvite({ channels }: { channels: readonly { id: string; name: string }[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id])
  const read = (typed: FormData) => ({
    maxUses: Number(typed.get('guests')),
    guests: { channelIds: [...chosen], days: Number(typed.get('guestDays')) },
  })

  return (
    <InviteForm
      read={read}
      isIncomplete={chosen.length === 0 || chosen.length > mostChannels}
      sentence={rich('identity.guests.newLink', {
        people: (
          <NumberField
            label={t('identity.guests.people')}
            name="guests"
            max={limits.invite.uses.max}
            defaultValue={1}
          />
        ),
        days: (
          <NumberField label={t('identity.guests.days')} name="guestDays" max={days.max} defaultValue={days.default} />
        ),
      })}
    >
      <fieldset className="mb-3">
        <legend className="mb-1.5 font-[550] text-ui">{t('identity.guests.channels')}</legend>
        <div className="field-edge max-h-44 overflow-y-auto rounded-m bg-paper py-1">
          {channels.map(({ id, name }) => (
            <label
              key={id}
              className="flex min-h-8 items-center gap-2.5 px-3 text-ui hover:bg-hover pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                className="size-4 flex-none accent-(--pine)"
                checked={chosen.includes(id)}
                onChange={() => toggle(id)}
              />
              <bdi className="truncate">#{name}</bdi>
            </label>
          ))}
        </div>
      </fieldset>
    </InviteForm>
  )
}
