import { limits } from '#contract/limits'
import { rich, t } from '../../i18n/text.ts'
import { InviteForm, NumberField } from './invite-form.tsx'

const { days, uses } = limits.invite

/** Creates an invite link for members. @param isAside whether the page has a more important button */
export function NewInvite({ isAside = false }: { isAside?: boolean }) {
  return (
    <InviteForm
      isAside={isAside}
      read={(typed) => ({ days: Number(typed.get('days')), maxUses: Number(typed.get('maxUses')) })}
      sentence={rich('identity.invites.newLink', {
        people: (
          <NumberField label={t('identity.invites.people')} name="maxUses" max={uses.max} defaultValue={uses.default} />
        ),
        days: <NumberField label={t('identity.invites.days')} name="days" max={days.max} defaultValue={days.default} />,
      })}
    />
  )
}
