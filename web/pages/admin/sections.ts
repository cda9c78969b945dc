import {
  BookUser,
  CalendarClock,
  FileArchive,
  Flag,
  HardDrive,
  Hash,
  HeartPulse,
  IdCard,
  Import,
  KeyRound,
  type LucideIcon,
  ScrollText,
  SlidersHorizontal,
  Users,
  UsersRound,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { can } from '#contract/can'
import type { Me } from '#contract/users'
import { type PlainTextId, t } from '../../i18n/text.ts'

export interface AdminSection {
  /** Its part of the URL, after `/admin/`. */
  path: string
  title: () => string
  Icon: LucideIcon
  load: () => Promise<{ default: ComponentType }>
  /** Who may open it; the server checks again. */
  isFor: (me: Me) => boolean
}

const section = (
  path: string,
  title: PlainTextId,
  Icon: LucideIcon,
  isFor: AdminSection['isFor'],
  load: AdminSection['load'],
): AdminSection => ({ path, title: () => t(title), Icon, isFor, load })

/** The pages of the administration, in the order of the list beside them. A new one is a line here. */
export const adminSections: readonly AdminSection[] = [
  section('audit', 'audit.title', ScrollText, can.readAudit, () => import('./audit-section.tsx')),
  section('people', 'admin.people', Users, can.manageWorkspace, () => import('./people-section.tsx')),
  section('channels', 'managed.title', Hash, can.manageWorkspace, () => import('./channels-section.tsx')),
  section('permissions', 'permissions.title', KeyRound, can.manageWorkspace, () => import('./permissions-section.tsx')),
  section('profiles', 'fields.section', IdCard, can.setProfileFields, () => import('./profile-section.tsx')),
  section('reports', 'reports.title', Flag, can.manageWorkspace, () => import('./reports-section.tsx')),
  section('groups', 'groups.title', UsersRound, can.createGroups, () => import('./groups-section.tsx')),
  section(
    'directory',
    'provisioning.section',
    BookUser,
    can.manageProvisioning,
    () => import('./provisioning-section.tsx'),
  ),
  section('retention', 'retention.section', CalendarClock, can.setRetention, () => import('./retention-section.tsx')),
  section('import', 'imports.section', Import, can.importArchives, () => import('./import-section.tsx')),
  section('health', 'health.section', HeartPulse, can.manageWorkspace, () => import('./health-section.tsx')),
  section('storage', 'storage.section', HardDrive, can.manageWorkspace, () => import('./storage-section.tsx')),
  section(
    'settings',
    'serverSettings.section',
    SlidersHorizontal,
    can.manageWorkspace,
    () => import('./settings-section.tsx'),
  ),
  section('export', 'exports.section', FileArchive, can.exportWorkspace, () => import('./export-section.tsx')),
]
