import { FieldEditor } from '../../features/users/field-editor.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** What people can say about themselves. Lazy-loaded. */
export default function ProfileSection() {
  return (
    <AdminPart title={t('fields.title')} hint={t('fields.hint')}>
      <FieldEditor />
    </AdminPart>
  )
}
