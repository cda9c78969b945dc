import { GroupList } from '../../features/groups/group-list.tsx'
import { t } from '../../i18n/text.ts'

/** Groups of people. Lazy-loaded. */
export default function GroupsSection() {
  return (
    <div className="max-w-2xl">
      <p className="mb-4 max-w-prose text-pretty text-soft text-ui">{t('groups.hint')}</p>
      <GroupList />
    </div>
  )
}
