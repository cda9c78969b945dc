// In their own module, because React Fast Refresh needs component files to export only components.

export const emojiPicker = () => import('../../../emoji/emoji-popover.tsx')
export const reminderDialog = () => import('./reminder-dialog.tsx')
export const historyDialog = () => import('./history-dialog.tsx')
export const scheduleDialog = () => import('./schedule-dialog.tsx')
export const messageMenu = () => import('./message-menu.tsx')
