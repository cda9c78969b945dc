// In a module of their own, because React Fast Refresh wants component files to export components only.

export const emojiPicker = () => import('../../../ui/emoji/emoji-popover.tsx')
export const messageMenu = () => import('./message-menu.tsx')
