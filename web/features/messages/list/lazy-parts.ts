export const waitingLine = () => import('./waiting-line.tsx')
