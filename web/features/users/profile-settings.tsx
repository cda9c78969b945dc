import { t } from '../../i18n/text.ts'
import { AvatarField } from './avatar-field.tsx'
import { CardForm } from './card-form.tsx'
import { ProfileForm } from './profile-form.tsx'

/** How others see me. */
export function ProfileSettings() {
  return (
    <>
      <AvatarField />
      <ProfileForm />
      <hr className="my-5 border-line" />
      <h4 className="font-[600] text-ui">{t('users.card.title')}</h4>
      <p className="mt-1 mb-4 text-pretty text-faint text-meta">{t('users.card.hint')}</p>
      <CardForm />
    </>
  )
}
