export const quoteTray = () => import('./quote-tray.tsx')
