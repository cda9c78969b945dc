export const attachmentTray = () => import('./attachment-tray.tsx')
