export const newLineHint = () => import('./new-line-hint.tsx')
export const attachmentTray = () => import('./attachment-tray.tsx')
