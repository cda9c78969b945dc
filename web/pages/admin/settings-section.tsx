import { EditHistoryRule } from '../../features/administration/edit-history-rule.tsx'
import { LinkPreviewRule } from '../../features/administration/link-preview-rule.tsx'
import { SettingsList } from '../../features/administration/settings-list.tsx'
import { SignUpRule } from '../../features/administration/sign-up-rule.tsx'
import { WorkspaceName } from '../../features/administration/workspace-name.tsx'
import { WorkspaceLevel } from '../../features/notifications/default-level.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function SettingsSection() {
  return (
    <>
      <AdminPart title={t('workspace.title')}>
        <div className="grid gap-8">
          <WorkspaceName />
          <SignUpRule />
          <LinkPreviewRule />
          <EditHistoryRule />
          <WorkspaceLevel />
        </div>
      </AdminPart>
      <AdminPart title={t('serverSettings.title')} hint={t('serverSettings.hint')}>
        <SettingsList />
      </AdminPart>
    </>
  )
}
