import type { Permission } from '#contract/permissions'
import { type PlainTextId, t } from '../i18n/text.ts'

const names: Record<Permission, PlainTextId> = {
  createPublicChannels: 'permissions.createPublicChannels',
  createPrivateChannels: 'permissions.createPrivateChannels',
  inviteToWorkspace: 'permissions.inviteToWorkspace',
  inviteToChannels: 'permissions.inviteToChannels',
  post: 'permissions.post',
  mentionChannel: 'permissions.mentionChannel',
  upload: 'permissions.upload',
  deleteMessages: 'permissions.deleteMessages',
  seeEmails: 'permissions.seeEmails',
  createGroups: 'permissions.createGroups',
  addEmoji: 'permissions.addEmoji',
}

/** What a permission allows, such as 'Post messages'. A newer server may know more. */
export const permissionName = (permission: string) =>
  Object.hasOwn(names, permission) ? t(names[permission as Permission]) : permission
